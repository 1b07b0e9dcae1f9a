// What an error says of where it comes from, without JavaScript.
#pragma once

namespace vedette {

/**
 * From now on the property `stack` of the errors of the calling thread is "file:line", or empty.
 *
 * Node writes stacks in JavaScript of its own realm, when they are first looked at. A script that looks at one of its
 * own can make that code fail, by a name that is a symbol, or by the end of the stack, and is thrown an error of a
 * realm that has everything.
 */
void keep_stacks_plain();

}  // namespace vedette
