import { nameInSentence, quote } from '../strings.ts';
import type { List, Name, NextCall, Part, Text, Words } from './text.ts';

/** A part of a sentence. Plain strings are none: what a person wrote goes in with `name`. */
export type Sayable =
  | Text
  | Exclude<Part, Words>
  /** A count. */
  | number
  /** Nothing. */
  | null;

/** say`${name(probe)} lacks ${estimate(12.4, 'mm')}.` */
export function say(chunks: TemplateStringsArray, ...values: readonly Sayable[]): Text {
  const parts: Part[] = [];
  chunks.forEach((chunk, index) => {
    if (chunk !== '') parts.push(chunk as Words);
    parts.push(...toText(values[index] ?? null).parts);
  });
  return { parts };
}

/** The item as a text, without other words. */
export const toText = (item: Sayable): Text => ({ parts: item === null ? [] : partsOf(item) });

function partsOf(value: NonNullable<Sayable>): readonly Part[] {
  if (typeof value === 'number')
    return [{ kind: 'quantity', values: [value], unit: null, precision: 'exact' }];
  return 'parts' in value ? value.parts : [value];
}

/** Takes literal types; for a plain `string`, nothing can be passed. */
type Literal<T extends string> = string extends T ? never : T;

/** A word of the program that is chosen elsewhere, such as a status. */
export const word = <T extends string>(literal: Literal<T>): Text => ({
  parts: [literal as string as Words],
});

/** "1 watering", "2 waterings". */
export const counted = <One extends string, Plural extends string = `${One}s`>(
  count: number,
  one: Literal<One>,
  plural?: Literal<Plural>,
): Text => say`${count} ${noun(count, one, plural)}`;

/** The form of an English word for a number. */
export const noun = <One extends string, Plural extends string = `${One}s`>(
  count: number,
  one: Literal<One>,
  plural?: Literal<Plural>,
): Text => ({ parts: [(count === 1 ? one : (plural ?? `${one}s`)) as string as Words] });

/** A text of a person or of another system, on one line, in quotes if it is long or unusual. */
export const name = (text: string | null | undefined): Name => ({
  kind: 'name',
  text: nameInSentence(text),
});

/** Null for no text. */
export function nameOrNull(text: string | null | undefined): Name | null {
  const named = name(text);
  return named.text === '' ? null : named;
}

/** A text that is clean already, or must be copied whole, such as a key. */
export const verbatim = (text: string): Name => ({ kind: 'name', text });

/** A name that a sentence has in quotes, whatever it is. */
export const quotedName = (text: string): Name => verbatim(quote(text));

/** A text that is the same for everybody who reads it, such as the sentences of another program. */
export const verbatimText = (text: string): Text => ({
  parts: text === '' ? [] : [verbatim(text)],
});

const EMPTY: Text = { parts: [] };

export const isEmpty = ({ parts }: Text): boolean => parts.length === 0;

/** Items with something between them; null and empty ones are left out. */
export function join(items: readonly Sayable[], between: Text): Text {
  const texts = items.map(toText).filter((text) => !isEmpty(text));
  const [first = EMPTY, ...others] = texts;
  return {
    parts: [...first.parts, ...others.flatMap(({ parts }) => [...between.parts, ...parts])],
  };
}

/** "A, B", without null and empty ones. */
export const commaSeparated = (items: readonly Sayable[]): Text => join(items, say`, `);

/** Sentences one after another. */
export const sentences = (texts: readonly (Text | null)[]): Text => join(texts, say` `);

/** "A, B and C". */
export const list = (items: readonly Sayable[], joiner: List['joiner'] = 'and'): List => ({
  kind: 'list',
  items: items.map(toText),
  joiner,
});

/** "A, B and 4 more". */
export const listAndMore = (items: readonly Sayable[], more: number): List =>
  list(more > 0 ? [...items, say`${more} more`] : items);

/** Begins with a capital letter, for the start of a sentence. */
export function capitalized({ parts }: Text): Text {
  const [first, ...others] = parts;
  if (typeof first !== 'string') return { parts };
  return { parts: [(first.charAt(0).toUpperCase() + first.slice(1)) as Words, ...others] };
}

/** An argument is a name, or "name: value" where the value is known. */
export const call = (tool: string, ...args: readonly string[]): NextCall => ({
  kind: 'call',
  tool,
  args,
});

/** The call of the answer again, with these arguments added or changed. */
export const sameCallWith = (...args: readonly string[]): NextCall =>
  action(`this call again with ${args.join(', ')}`);

/** An action of the model where no tool serves. */
export const action = (words: string): NextCall => ({ kind: 'call', tool: null, args: [words] });
