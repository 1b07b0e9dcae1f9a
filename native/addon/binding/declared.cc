#include "declared.h"

#include "node.h"
#include "pack.h"
#include "plan.h"
#include "tag_family.h"

namespace vedette {

namespace {

template <typename Item, typename Describe>
Napi::Array list(Napi::Env env, const Item& items, Describe describe) {
  Napi::Array out = Napi::Array::New(env);
  for (const auto& item : items) out[out.Length()] = describe(item);
  return out;
}

std::string describe(const NodeType::Port& port) {
  const std::string format =
      port.kind == Kind::image ? std::string(" (") + PORT_FORMAT_NAMES[static_cast<int>(port.format)] + ")" : "";
  return std::string(port.name) + ": " + KIND_NAMES[static_cast<int>(port.kind)] + format +
         (port.optional ? ", optional" : "");
}

template <typename T>
void add_row(std::vector<T>& rows) {
  rows.emplace_back();
}
void add_row(Contours& contours) { contours.rows.emplace_back(); }
void add_row(Barcodes& codes) { codes.rows.emplace_back(); }
void add_row(Values& values) { values.rows.emplace_back(); }
void add_row(Image&) {}

/** Of one row, as it is packed: by how much a value with it is longer. */
size_t width_of(Value value) {
  std::vector<double> none, one;
  pack_rows(value, none);
  std::visit([](auto& rows) { add_row(rows); }, value);
  pack_rows(value, one);
  return one.size() - none.size();
}

Napi::Object row_widths(Napi::Env env) {
  Frame seen, unseen;
  seen.has_truth = unseen.has_truth = true;
  seen.truth.visible.resize(1);
  std::vector<double> both, truth;
  pack_truth(seen, both);
  pack_truth(unseen, truth);

  Napi::Object out = Napi::Object::New(env);
  for (size_t kind = 0; kind < std::size(KIND_NAMES); kind++)
    if (static_cast<Kind>(kind) != Kind::image) out[KIND_NAMES[kind]] = width_of(empty_value(static_cast<Kind>(kind)));
  out["truth"] = truth.size() - 2;  // behind its count, before that of the tags
  out["visible"] = both.size() - truth.size();
  return out;
}

Napi::Object family(Napi::Env env, const char* name) {
  const FamilyOwner made = make_family(name);
  Napi::Object out = Napi::Object::New(env);
  out["name"] = name;
  out["tags"] = made->ncodes;
  out["bits"] = made->nbits;
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
  out["families"] = list(env, TAG_FAMILIES, [&](const char* name) { return family(env, name); });
  out["max_slots"] = MAX_SLOTS;
  return out;
}

}  // namespace vedette
