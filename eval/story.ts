import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod/v3';

/**
 * A call of a recorded solution: one tool with its arguments. "$2.data.0.id" is a value of the
 * second answer of the story.
 */
export const toolCall = z
  .record(z.record(z.unknown()))
  .refine((call) => Object.keys(call).length === 1)
  .transform((call) => {
    const [name, args] = Object.entries(call)[0]!;
    return { name, args };
  });
export type ToolCall = z.output<typeof toolCall>;

/** Calls in order, then the words that end the turn. */
const solution = z.array(z.union([toolCall, z.string()])).min(1);
export type Solution = z.output<typeof solution>;

const expectedRow = z.record(z.unknown()).nullable();

const turn = z.strictObject({
  words: z.string().min(1),
  /**
   * Member of the farm who speaks, to an assistant that uses the member's key. Default: who spoke
   * first; in the first turn no key, all rights.
   */
  as: z.string().optional(),
  solution,
  /** A plausible wrong way, which must fail. */
  wrong: solution.optional(),
  /**
   * Each row that differs from the start of the story after this turn: its fields, or null if it is
   * gone.
   */
  store: z.record(expectedRow).default({}),
  /** The reply must be a question about this (a regular expression). */
  asks: z.string().optional(),
  /** Figures and words (regular expressions) that the reply must contain. */
  says: z.array(z.union([z.string(), z.number()])).default([]),
  /**
   * Tools that must have answered in this turn, where neither the store nor figures can tell, as
   * with a picture.
   */
  uses: z.array(z.string()).default([]),
  /** What the reply must not contain. */
  avoids: z.array(z.string()).default([]),
});
export type Turn = z.output<typeof turn>;

const story = turn.extend({
  id: z.string().regex(/^[a-z0-9-]+$/),
  farm: z.string().default('sources'),
  /** Default: the clock of the farm. */
  clock: z.string().optional(),
  /** Further options of the server, such as --read-only. */
  server: z.array(z.string()).default([]),
  /** Calls made before the story begins. */
  before: z.array(toolCall).default([]),
  /** The answer of the first write is lost on its way to the assistant. */
  losesAnswer: z.boolean().default(false),
  next: z.array(turn).default([]),
});

export interface Story extends Omit<z.output<typeof story>, keyof Turn | 'next'> {
  readonly theme: string;
  readonly turns: readonly Turn[];
}

export async function loadStories(folder: string): Promise<Story[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  const themes = await Promise.all(
    files.map(async (file) =>
      z
        .array(story)
        .parse(parse(await readFile(join(folder, file), 'utf8'), { merge: true }))
        .map((each) => toStory(file.replace('.yaml', ''), each)),
    ),
  );
  return themes.flat();
}

function toStory(
  theme: string,
  {
    next,
    words,
    as,
    solution,
    wrong,
    store,
    asks,
    says,
    uses,
    avoids,
    ...rest
  }: z.output<typeof story>,
): Story {
  return {
    theme,
    ...rest,
    turns: [
      { words, as, solution, wrong, store, asks, says, uses, avoids },
      ...next.map((turn) => ({ ...turn, as: turn.as ?? as })),
    ],
  };
}
