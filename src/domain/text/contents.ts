import type { Description, List, Part, Text } from './text.ts';

type Composed = List | Description;

const hasTexts = (part: Part): part is Composed =>
  typeof part !== 'string' && (part.kind === 'list' || part.kind === 'description');

const textsIn = (part: Composed): readonly Text[] =>
  part.kind === 'list' ? part.items : [part.text];

/** True if a text has this name of a person, as whole words. */
export const mentions = ({ parts }: Text, name: string): boolean =>
  name !== '' && parts.some((part) => partMentions(part, name));

function partMentions(part: Part, name: string): boolean {
  if (typeof part === 'string') return false;
  if (hasTexts(part)) return textsIn(part).some((text) => mentions(text, name));
  return part.kind === 'name' && hasWords(part.text, name);
}

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
export const hasLocalTimes = ({ parts }: Text): boolean =>
  parts.some((part) => {
    if (typeof part === 'string') return false;
    if (hasTexts(part)) return textsIn(part).some(hasLocalTimes);
    return LOCAL_TIMES.has(part.kind);
  });

const NEEDS_NO_READER: ReadonlySet<string> = new Set([
  ...['argument', 'code', 'operation', 'aside', 'name', 'call', 'clock'],
]);

/** True if a text is another one for readers in other zones or with other units. */
export const dependsOnReader = ({ parts }: Text): boolean =>
  parts.some((part) => {
    if (typeof part === 'string') return false;
    if (hasTexts(part)) return textsIn(part).some(dependsOnReader);
    return part.kind === 'quantity' ? part.unit !== null : !NEEDS_NO_READER.has(part.kind);
  });
