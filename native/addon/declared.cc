#include "declared.h"

#include "node.h"
#include "pack.h"

namespace vedette {

namespace {

template <typename Item, typename Describe>
Napi::Array list(Napi::Env env, const Item& items, Describe describe) {
  Napi::Array out = Napi::Array::New(env);
  for (const auto& item : items) out[out.Length()] = describe(item);
  return out;
}

std::string describe(const NodeType::Port& port) {
  return std::string(port.name) + ": " + KIND_NAMES[static_cast<int>(port.kind)] + (port.optional ? ", optional" : "");
}

/** Of one row, as it is packed behind its count. */
template <typename Row>
size_t width_of() {
  std::vector<double> packed;
  pack_rows(std::vector<Row>(1), packed);
  return packed.size() - 1;
}

Napi::Object row_widths(Napi::Env env) {
  Frame seen, unseen;
  seen.has_truth = unseen.has_truth = true;
  seen.truth.visible.resize(1);
  std::vector<double> both, truth;
  pack_truth(seen, both);
  pack_truth(unseen, truth);

  Napi::Object out = Napi::Object::New(env);
  out["detections"] = width_of<Detection>();
  out["points"] = width_of<TagPoints>();
  out["tag_poses"] = width_of<TagPose>();
  out["field_pose"] = width_of<FieldPose>();
  out["truth"] = truth.size() - 2;  // behind its count, before that of the tags
  out["visible"] = both.size() - truth.size();
  return out;
}

}  // namespace

Napi::Value declared(Napi::Env env) {
  Napi::Object types = Napi::Object::New(env);
  for (const NodeType& type : node_types()) {
    Napi::Object ports = Napi::Object::New(env);
    ports["inputs"] = list(env, type.inputs, describe);
    ports["outputs"] = list(env, type.outputs, describe);
    types[type.name] = ports;
  }
  Napi::Object out = Napi::Object::New(env);
  out["node_types"] = types;
  out["row_widths"] = row_widths(env);
  out["families"] = list(env, TAG_FAMILIES, [](const char* name) { return name; });
  return out;
}

}  // namespace vedette
