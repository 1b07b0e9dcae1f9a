"""The node: run for each picture."""

from vedette_plugin_node import node

from sharpness import middle_of, sharpness_of


def step(inputs, params):
    found = sharpness_of(middle_of(inputs["image"].array, params["middle_share"]))
    return {"values": {**found, "is_sharp": found["sharpness"] >= params["sharp_from"]}}


node.run(step)
