import { nameInSentence, quote } from '../strings.ts';
import type { List, Name, NextCall, Part, Text, Words } from './text.ts';

/**
 * What a sentence may contain: texts, parts, counts, and null for nothing. A plain string is not
 * among them, so that what a person wrote goes in as a `name`.
 */
export type Sayable = Text | Exclude<Part, Words> | number | null;

/** Builds a sentence: say`${name(probe)} lacks ${estimate(12.4, 'mm')}.` */
export function say(chunks: TemplateStringsArray, ...values: readonly Sayable[]): Text {
  const parts: Part[] = [];
  chunks.forEach((chunk, index) => {
    if (chunk !== '') parts.push(chunk as Words);
    parts.push(...toText(values[index] ?? null).parts);
  });
  return { parts };
}

export const toText = (item: Sayable): Text => ({ parts: item === null ? [] : partsOf(item) });

function partsOf(value: NonNullable<Sayable>): readonly Part[] {
  if (typeof value === 'number')
    return [{ kind: 'quantity', values: [value], unit: null, precision: 'exact' }];
  return 'parts' in value ? value.parts : [value];
}

/** Accepts literals alone: words that come at run time are no words of the program. */
type Literal<T extends string> = string extends T ? never : T;

/** A word of the program whose type is a union of literals, such as a status. */
export const word = <T extends string>(literal: Literal<T>): Text => ({
  parts: [literal as string as Words],
});

/** "1 watering", "2 waterings". */
export const counted = <One extends string, Plural extends string = `${One}s`>(
  count: number,
  one: Literal<One>,
  plural?: Literal<Plural>,
): Text => say`${count} ${noun(count, one, plural)}`;

/** The singular for 1, else the plural. */
export const noun = <One extends string, Plural extends string = `${One}s`>(
  count: number,
  one: Literal<One>,
  plural?: Literal<Plural>,
): Text => ({ parts: [(count === 1 ? one : (plural ?? `${one}s`)) as string as Words] });

/** What a person or another system wrote, on one line, in quotes if it is long or unusual. */
export const name = (text: string | null | undefined): Name => ({
  kind: 'name',
  text: nameInSentence(text),
});

/** Null for an empty text. */
export function nameOrNull(text: string | null | undefined): Name | null {
  const named = name(text);
  return named.text === '' ? null : named;
}

/** A text that is on one line already, or that people copy, such as a key. */
export const verbatim = (text: string): Name => ({ kind: 'name', text });

/** Like `name`, but always in quotes. */
export const quotedName = (text: string): Name => verbatim(quote(text));

/** Sentences that no rendering may change, such as those of another program. */
export const verbatimText = (text: string): Text => ({
  parts: text === '' ? [] : [verbatim(text)],
});

const EMPTY: Text = { parts: [] };

export const isEmpty = ({ parts }: Text): boolean => parts.length === 0;

/** Leaves out null and empty items. */
export function join(items: readonly Sayable[], separator: Text): Text {
  const texts = items.map(toText).filter((text) => !isEmpty(text));
  const [first = EMPTY, ...others] = texts;
  return {
    parts: [...first.parts, ...others.flatMap(({ parts }) => [...separator.parts, ...parts])],
  };
}

/** "A, B". Leaves out null and empty items. */
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

/** With a capital letter if it begins with words of the program, not with a name or a figure. */
export function capitalized({ parts }: Text): Text {
  const [first, ...others] = parts;
  if (typeof first !== 'string') return { parts };
  return { parts: [(first.charAt(0).toUpperCase() + first.slice(1)) as Words, ...others] };
}

/** Each of `args` is the name of an argument, or "name: value" where the value is known. */
export const call = (tool: string, ...args: readonly string[]): NextCall => ({
  kind: 'call',
  tool,
  args,
});

/** Repeats the call that is being answered, with these arguments added or changed. */
export const sameCallWith = (...args: readonly string[]): NextCall =>
  action(`this call again with ${args.join(', ')}`);

/** Something for the model to do that is not a call of a tool. */
export const action = (words: string): NextCall => ({ kind: 'call', tool: null, args: [words] });
