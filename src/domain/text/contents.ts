import type { Aside, Description, List, Part, Text, Words } from './text.ts';

type PlainPart = Exclude<Part, Words | List | Description | Aside>;

/** True if a part of the text, or of a text inside it, passes the test. */
const somePart = ({ parts }: Text, test: (part: PlainPart) => boolean): boolean =>
  parts.some((part) => {
    if (typeof part === 'string') return false;
    if (part.kind === 'list') return part.items.some((item) => somePart(item, test));
    if (part.kind === 'description' || part.kind === 'aside') return somePart(part.text, test);
    return test(part);
  });

/** True if a text has this name of a person, as whole words. */
export const mentions = (text: Text, name: string): boolean =>
  name !== '' && somePart(text, (part) => part.kind === 'name' && hasWords(part.text, name));

const isInWord = (character: string | undefined): boolean => /[\p{L}\p{N}]/u.test(character ?? '');

function hasWords(text: string, words: string): boolean {
  for (let start = text.indexOf(words); start !== -1; start = text.indexOf(words, start + 1))
    if (!isInWord(text[start - 1]) && !isInWord(text[start + words.length])) return true;
  return false;
}

const LOCAL_TIMES: ReadonlySet<string> = new Set([
  'instant',
  'longInstant',
  'period',
  'clock',
  'zone',
]);

/** True if a text names times of day, which depend on the zone. */
export const hasLocalTimes = (text: Text): boolean =>
  somePart(text, (part) => LOCAL_TIMES.has(part.kind));

/** Parts that a model reads as people hear them. */
const ALIKE_ALOUD: ReadonlySet<string> = new Set(['name', 'clock', 'zone', 'description']);

/**
 * True if a model reads names of arguments, ids, times or exact figures that people do not hear.
 */
export const differsAloud = ({ parts }: Text): boolean =>
  parts.some((part) => {
    if (typeof part === 'string') return false;
    if (part.kind === 'list') return part.items.some(differsAloud);
    if (part.kind === 'quantity' || part.kind === 'density') return part.precision !== 'exact';
    return part.kind === 'code' ? part.code.includes('_') : !ALIKE_ALOUD.has(part.kind);
  });

const NEEDS_NO_READER: ReadonlySet<string> = new Set([
  'argument',
  'code',
  'operation',
  'name',
  'call',
  'clock',
]);

/** True if a text is another one for readers in other zones or with other units. */
export const dependsOnReader = (text: Text): boolean =>
  somePart(text, (part) =>
    part.kind === 'quantity' ? part.unit !== null : !NEEDS_NO_READER.has(part.kind),
  );
