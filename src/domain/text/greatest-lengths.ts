// The greatest lengths of what comes from outside. Those of texts are in UTF-16 units, as JavaScript
// counts the length of a text.

/** Of a figure, a time, a code and whatever else is said in a few words. */
export const MAX_SHORT_TEXT = 200;
/** Of what names a module or a parcel: a stored name, and words around it. */
export const MAX_REFERENCE_TEXT = 400;
/** Of a text inside an object whose fields a client defines. */
export const MAX_FREE_TEXT = 4_000;
/** Of all texts in a list or an object together, and of the JSON text that stands for it. */
export const MAX_NESTED_TEXT = 250_000;

/** Of a list of which a valid one has a few items. */
export const MAX_SHORT_LIST = 100;
/** Of a list inside an object whose fields a client defines. */
export const MAX_FREE_LIST = 10_000;
/** Of a cell of a file that is read: a time, a name or a figure. */
export const MAX_CELL_TEXT = 250;
/** Of the topic of an MQTT message. */
export const MAX_TOPIC_TEXT = 1_000;
