// The greatest lengths of what comes from outside. Those of texts are in UTF-16 units, as JavaScript
// counts the length of a text.

/** For a figure, a time, a code and whatever else is said in a few words. */
export const MAX_SHORT_TEXT = 200;
/** For the name of a module or a parcel: a stored name, and words around it. */
export const MAX_REFERENCE_TEXT = 400;
/** For a text inside an object whose fields a client defines. */
export const MAX_FREE_TEXT = 4_000;
/** For all texts in a list or an object together, and for the JSON text that stands for it. */
export const MAX_NESTED_TEXT = 250_000;

/** For a list of which a valid one has a few items. */
export const MAX_SHORT_LIST = 100;
/** For a list inside an object whose fields a client defines. */
export const MAX_FREE_LIST = 10_000;
/** For a cell of a file that is read: a time, a name or a figure. */
export const MAX_CELL_TEXT = 250;
/** For the topic of an MQTT message. */
export const MAX_TOPIC_TEXT = 1_000;
