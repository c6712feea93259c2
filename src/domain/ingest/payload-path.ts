import { isObject } from '../records.ts';

/**
 * One step into a payload: the name of a field (or the number of an item in a list), or the item of
 * a list, or of the lists in it, in which a field has a value ("type=moisture"), or any ("type=*").
 */
type Step = { readonly name: string } | { readonly field: string; readonly value: string };

interface PayloadPath {
  /** How many enclosing samples to leave: the "../" at the start. */
  readonly levelsUp: number;
  readonly steps: readonly Step[];
}

/** A name and any number of brackets, one of the two at least: "sensors[0]", "[type=moisture]". */
const SEGMENT = /^([^[\]]*)((?:\[[^[\]]+\])*)$/;

/** Null if the text is not a path. */
export function parsePayloadPath(text: string): PayloadPath | null {
  const [leadingUps = ''] = /^(\.\.\/)*/.exec(text) ?? [];
  const rest = text.slice(leadingUps.length);
  const steps: Step[] = [];

  const segments = rest === '' ? [] : rest.split('.');
  for (const segment of segments) {
    const [, name, brackets = ''] = SEGMENT.exec(segment) ?? [];
    if (name === undefined) return null;
    if (name !== '') steps.push({ name });
    else if (brackets === '') return null;
    for (const [, inner = ''] of brackets.matchAll(/\[([^[\]]+)\]/g)) steps.push(stepInList(inner));
  }

  return { levelsUp: leadingUps.length / '../'.length, steps };
}

/** The text between brackets: "0" or "type=moisture". */
function stepInList(inner: string): Step {
  const equals = inner.indexOf('=');
  return equals < 0
    ? { name: inner }
    : { field: inner.slice(0, equals), value: inner.slice(equals + 1) };
}

/**
 * A sample preceded by all objects that enclose it, outermost first; the payload itself is a sample
 * too.
 */
export type Sample = readonly unknown[];

const parsedPaths = new Map<string, PayloadPath>();

/** Undefined where the payload has no value. `text` must be a valid path. */
export function valueAt(sample: Sample, text: string): unknown {
  const path = parsedPaths.get(text) ?? parsePayloadPath(text)!;
  parsedPaths.set(text, path);
  return path.steps.reduce(valueOfStep, sample[sample.length - 1 - path.levelsUp]);
}

function valueOfStep(value: unknown, step: Step): unknown {
  if (!('field' in step)) return ownValue(value, step.name);
  const isWanted = (item: unknown): boolean => {
    const found = ownValue(item, step.field);
    if (step.value === '*') return found !== undefined;
    // A text of a list may be long, and an object may have none.
    return typeof found !== 'object' && String(found) === step.value;
  };
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value.some(Array.isArray) ? value.flat() : value;
  return items.find(isWanted);
}

const ownValue = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/**
 * "sensors[].data" selects each item of the list `data` in each item of the list `sensors`. Null if
 * the text is not such a path.
 */
export function splitListPath(text: string): string[] | null {
  const paths = text
    .split('[]')
    .map((part, index) => (index === 0 ? part : part.replace(/^\./, '')));
  return paths.every(
    (part, index) => (index === 0 || part !== '') && parsePayloadPath(part) !== null,
  )
    ? paths
    : null;
}

/** Skips enclosing items that lack the next list. Null if the payload has no list at the path. */
export function samplesAt(payload: unknown, listPath: string): readonly Sample[] | null {
  let samples: Sample[] = [[payload]];
  for (const path of splitListPath(listPath)!) {
    const lists = samples.map((sample) => ({ sample, list: listOf(valueAt(sample, path)) }));
    if (!lists.some(({ list }) => Array.isArray(list))) return null;
    samples = lists.flatMap(({ sample, list }) =>
      Array.isArray(list) ? list.map((item: unknown) => [...sample, item]) : [],
    );
  }
  return samples;
}

/**
 * Decoders of Dragino write "[19.57,24.59,2.8,2026-06-30 08:00:00],[…],": a list in brackets each.
 */
function listOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const items = [...value.matchAll(/\[([^[\]]*)\]/g)].map(([, inner = '']) => inner.split(','));
  return items.length > 0 ? items : value;
}
