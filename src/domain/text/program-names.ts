import { commaSeparated, type Sayable, say, toText, verbatim } from './say.ts';
import type { ArgumentName, Aside, CalledOperation, Code, Description, Text } from './text.ts';

/** For a person with its article: "the start". */
export const argument = (path: string): ArgumentName => ({ kind: 'argument', path });

/** After a word such as "this". */
export const bareArgument = (path: string): ArgumentName => ({ ...argument(path), isBare: true });

export const code = (code: string): Code => ({ kind: 'code', code });

export const operationName = (tool: string): CalledOperation => ({ kind: 'operation', tool });

/** " (#12)", with the space before it. */
export const aside = (item: Sayable): Aside => ({ kind: 'aside', text: toText(item) });

export const bracketedId = (id: number | string): Aside => aside(say`#${verbatim(String(id))}`);

export const description = (item: Sayable, forPrograms: string): Description => ({
  kind: 'description',
  text: toText(item),
  forPrograms,
});

/** "mm, when, module" */
export const argumentNames = (paths: readonly string[]): Text =>
  commaSeparated(paths.map(argument));

/** "drip, micro_sprinkler" */
export const codes = (all: readonly string[]): Text => commaSeparated(all.map(code));
