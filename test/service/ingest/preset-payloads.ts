import { payloadText, presetExamples } from './preset-examples.ts';

/** Stands in JSON where the text is put, so that it is serialized once. */
const PLACEHOLDER = 'hostile-text-stands-here';

/** A payload with a text in place of one of its values, or as one more name. */
interface PayloadPlace {
  readonly place: string;
  readonly payloadWith: (text: string) => string;
}

export interface PresetPayload {
  readonly preset: string;
  readonly type: 'application/json' | 'application/x-www-form-urlencoded';
  readonly payload: string;
  readonly places: readonly PayloadPlace[];
  readonly lists: readonly LongList[];
}

/** A payload one of whose lists, or the payload itself in a list, has the items again and again. */
interface LongList {
  readonly place: string;
  readonly payloadOf: (length: number) => string;
}

/** The first example of each preset. */
export function presetPayloads(): PresetPayload[] {
  const examples = presetExamples().toReversed();
  const firstOfPresets = new Map(examples.map((example) => [example.preset, example]));
  return [...firstOfPresets.values()].map((example) => {
    const { preset } = example;
    const payload = payloadText(example);
    return typeof example.payload === 'string'
      ? {
          preset,
          type: 'application/x-www-form-urlencoded',
          payload,
          places: placesOfForm(payload),
          lists: [],
        }
      : {
          preset,
          type: 'application/json',
          payload,
          places: placesOfJson(payload),
          lists: listsOfJson(payload),
        };
  });
}

function placesOfForm(payload: string): PayloadPlace[] {
  const ofValue = (name: string): PayloadPlace => ({
    place: name,
    payloadWith(text) {
      const form = new URLSearchParams(payload);
      form.set(name, text);
      return form.toString();
    },
  });
  const ofName = {
    place: 'a name',
    payloadWith: (text: string) => `${payload}&${new URLSearchParams([[text, '1']])}`,
  };
  return [...[...new URLSearchParams(payload).keys()].map(ofValue), ofName];
}

/** Each item is sent as it is, as an object without fields, and under a number of its own. */
function listsOfJson(payload: string): LongList[] {
  const lists: LongList[] = [];
  const add = (
    place: string,
    item: unknown,
    payloadWith: (items: readonly unknown[]) => unknown,
  ) => {
    const variants = { whole: () => item, empty: () => ({}), numbered: numberedCopiesOf(item) };
    for (const [variant, next] of Object.entries(variants))
      lists.push({
        place: `${place}, ${variant}`,
        payloadOf(length) {
          const items: unknown[] = [];
          let left = length - JSON.stringify(payloadWith([])).length;
          for (let text = ''; left > 0; left -= text.length + 1) {
            const added = next();
            text = JSON.stringify(added);
            if (text.length < left) items.push(added);
          }
          return JSON.stringify(payloadWith(items));
        },
      });
  };

  const visit = (value: unknown, place: string, wholeWith: (value: unknown) => unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value) && value.length > 0) add(place, value[0], wholeWith);
    for (const [name, member] of Object.entries(value))
      visit(member, `${place}.${name}`, (replaced) =>
        wholeWith(
          Array.isArray(value)
            ? value.with(Number(name), replaced)
            : { ...value, [name]: replaced },
        ),
      );
  };
  const root: unknown = JSON.parse(payload);
  if (!Array.isArray(root)) add('payload', root, (items) => items);
  visit(root, 'payload', (replaced) => replaced);
  return lists;
}

/** The texts of EUIs have 16 digits; a copy has another one in each. */
function numberedCopiesOf(item: unknown): () => unknown {
  let count = 0;
  const json = JSON.stringify(item);
  return () => {
    const number = (count++).toString(16).padStart(16, '0');
    return JSON.parse(json.replaceAll(/"[\da-fA-F]{16}"/g, `"${number}"`));
  };
}

function placesOfJson(payload: string): PayloadPlace[] {
  const places: PayloadPlace[] = [];
  const add = (place: string, variant: unknown): void => {
    const json = JSON.stringify(variant);
    const payloadWith = (text: string) =>
      json.replace(PLACEHOLDER, () => JSON.stringify(text).slice(1, -1));
    places.push({ place, payloadWith });
  };

  const visit = (value: unknown, place: string, wholeWith: (value: unknown) => unknown): void => {
    if (typeof value !== 'object' || value === null) {
      add(place, wholeWith(PLACEHOLDER));
      return;
    }

    for (const [name, member] of Object.entries(value))
      visit(member, `${place}.${name}`, (replaced) =>
        wholeWith(
          Array.isArray(value)
            ? value.with(Number(name), replaced)
            : { ...value, [name]: replaced },
        ),
      );
    if (!Array.isArray(value))
      add(`a name in ${place}`, wholeWith({ ...value, [PLACEHOLDER]: 20 }));
  };
  visit(JSON.parse(payload), 'payload', (replaced) => replaced);
  return places;
}
