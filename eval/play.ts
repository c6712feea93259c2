import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Farms } from './farm.ts';
import { STORIES } from './program.ts';
import { problemsOf, type TurnOutcome } from './score.ts';
import { StoryStage } from './stage.ts';
import type { FarmState } from './state.ts';
import { loadStories, type Story, type Turn } from './story.ts';

const USAGE = `Plays one story with an assistant that is driven from outside. The session is in a folder (default: eval-session).

  node eval/play.mjs list                                names of all stories
  node eval/play.mjs start STORY [--toolsets NAMES]      begin: prints the instructions, the tools and the person's words
  node eval/play.mjs call TOOL JSON                      call one tool
  node eval/play.mjs say TEXT                            end the turn: prints the person's next words, or the end
  node eval/play.mjs score                               pass or fail, with what is wrong

ACEQUIA_EVAL_SESSION names another folder.
`;

/** The state of a story, kept from one command to the next. */
interface Session {
  readonly story: string;
  readonly farm: Awaited<ReturnType<Farms['get']>>;
  readonly options: readonly string[];
  readonly before: FarmState;
  readonly outcomes: readonly TurnOutcome[];
  readonly calls: readonly string[];
  /** What the tools have answered in this turn. */
  readonly turn: Pick<TurnOutcome, 'used' | 'answers' | 'hasWritten'>;
  readonly hasLostAnswer: boolean;
}

const NO_CALLS: Session['turn'] = { used: [], answers: [], hasWritten: false };
const FOLDER = resolve(process.env.ACEQUIA_EVAL_SESSION ?? 'eval-session');
const FILE = join(FOLDER, 'session.json');

export async function play([command, ...args]: string[]): Promise<number> {
  const [first = '', second = '{}'] = args;
  const commands: Record<string, () => Promise<string>> = {
    list,
    start: () => start(first, args.slice(1)),
    call: () => call(first, JSON.parse(second)),
    say: () => say(args.join(' ')),
    score,
  };
  const chosen = commands[command ?? ''];
  process.stdout.write(`${chosen ? await chosen() : USAGE}\n`);
  return chosen ? 0 : 2;
}

const list = async (): Promise<string> =>
  (await loadStories(STORIES)).map(({ theme, id }) => `${theme}/${id}`).join('\n');

async function start(name: string, options: readonly string[]): Promise<string> {
  const story = await storyNamed(name);
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER);
  const farm = await new Farms(FOLDER).get(story.farm);
  const stage = await StoryStage.create(story, farm, { folder: FOLDER, options });
  try {
    const before = await stage.readState();
    const { system, tools } = await stage.prompt(story.turns[0]!.as);
    await save({
      story: story.id,
      farm,
      options,
      before,
      outcomes: [],
      calls: [],
      turn: NO_CALLS,
      hasLostAnswer: false,
    });
    const definitions = tools.map(({ name, description, inputSchema }) =>
      JSON.stringify({ name, description, inputSchema }),
    );
    return [system, '', 'Tools:', ...definitions, '', announced(story.turns[0]!)].join('\n');
  } finally {
    await stage.close();
  }
}

const announced = ({ words, as }: Turn): string => `${as ?? 'The person'} says: ${words}`;

async function call(tool: string, args: Record<string, unknown>): Promise<string> {
  const session = await load();
  const stage = await stageOf(session);
  try {
    const { turns } = await storyNamed(session.story);
    const { text, body, isError, isWrite } = await stage.call(
      { name: tool, args },
      turns[session.outcomes.length]?.as,
    );
    const { used, answers, hasWritten } = session.turn;
    await save({
      ...session,
      calls: [...session.calls, tool],
      turn: {
        used: isError ? used : [...used, tool],
        answers: [...answers, text, body],
        hasWritten: hasWritten || isWrite,
      },
      hasLostAnswer: stage.hasLostAnswer,
    });
    return isError ? `Error: ${text}` : text;
  } finally {
    await stage.close();
  }
}

async function say(reply: string): Promise<string> {
  const session = await load();
  const { turns } = await storyNamed(session.story);
  if (session.outcomes.length === turns.length) return 'The conversation has ended.';
  const stage = await stageOf(session);
  const outcomes = [
    ...session.outcomes,
    { reply, ...session.turn, state: await stage.readState() },
  ];
  await save({ ...session, outcomes, turn: NO_CALLS });
  const next = turns[outcomes.length];
  return next ? announced(next) : 'The conversation has ended.';
}

async function score(): Promise<string> {
  const { story, before, outcomes, calls } = await load();
  const problems = problemsOf(await storyNamed(story), before, outcomes);
  return [problems.length === 0 ? 'pass' : 'FAIL', ...problems, `${calls.length} calls`].join('\n');
}

async function stageOf({ story, farm, options, hasLostAnswer }: Session): Promise<StoryStage> {
  return StoryStage.reopen(await storyNamed(story), farm, {
    folder: FOLDER,
    options,
    hasLostAnswer,
  });
}

async function storyNamed(name: string): Promise<Story> {
  const story = (await loadStories(STORIES)).find(
    ({ theme, id }) => name === id || name === `${theme}/${id}`,
  );
  if (!story) throw new Error(`There is no story ${name}: node eval/play.mjs list names them.`);
  return story;
}

const save = (session: Session): Promise<void> => writeFile(FILE, JSON.stringify(session));

const load = async (): Promise<Session> => JSON.parse(await readFile(FILE, 'utf8'));
