import { fileURLToPath } from 'node:url';
import { clientSnippets } from '../src/cli/connect/client-snippets.ts';
import type { Settings } from '../src/cli/process/settings.ts';
import { AcequiaError } from '../src/schema/error.ts';
import { DAYS_OF_READINGS, localTime, weekdayAgo } from './farm/calendar.ts';
import { DEMO_COMPANY, DEMO_ZONE } from './farm/demo-farm.ts';
import {
  type DemoFarmCounts,
  demoFilePath,
  makeFarm,
  passTime,
  removeDemoFarm,
} from './farm/demo-store.ts';
import { probeMoisture } from './farm/future-readings.ts';
import { type DemoHistory, demoHistory } from './farm/history.ts';
import { moistureBlockLines } from './output/block-chart.ts';
import { DemoConversation, DemoError } from './output/conversation.ts';
import { morningFilePaths, removeMorning } from './output/morning-file.ts';
import { transcript } from './output/transcript.ts';
import { playClockChange } from './scenes/clock-change.ts';
import { playDrySpell } from './scenes/dry-spell.ts';
import { playFirstConversation } from './scenes/first-conversation.ts';
import { playMorning } from './scenes/morning.ts';
import { playRain } from './scenes/rain.ts';
import {
  playNoon,
  playThirstyMorning,
  STORY_BEGINS_AT,
  STORY_ENDS_AT,
  STORY_PAST,
  STORY_SCHEDULE,
} from './scenes/short-story.ts';
import { type DemoAlert, playThreshold, WATCHED_MODULE } from './scenes/threshold.ts';
import { mailboxPath, removeMailbox } from './servers/mailbox.ts';
import { type DemoClient, startDemoClient } from './servers/mcp-client.ts';
import { serveDemo, servePage } from './servers/rest-service.ts';

const SEED = 7;

export interface DemoOptions {
  readonly full?: boolean;
  readonly throughRest?: boolean;
  /** Default: on a terminal. */
  readonly serve?: boolean;
}

/** 11:15 in the zone of the farm, a Tuesday: the full demo begins and ends there. */
const FULL_DEMO_AT = Date.parse('2026-07-14T09:15:00Z');

interface DemoStage {
  readonly program: string;
  readonly file: string;
  readonly options: DemoOptions;
  /** Options of each program that plays at the instant. */
  settingsAt(at: number): string[];
}

/**
 * It plays on fixed days, so that crops, weather and words agree whatever today is. Every answer is
 * compared with a calculation by hand. Returns the exit code: 1 if the farm cannot be made or an
 * answer differs.
 */
export async function runDemo(
  options: DemoOptions,
  { db, logLevel }: Pick<Settings, 'db' | 'logLevel'>,
): Promise<number> {
  try {
    const file = demoFilePath(db);
    const program = fileURLToPath(new URL('./acequia.js', import.meta.url));
    const stage: DemoStage = {
      program,
      file,
      options,
      settingsAt: (at) => [
        // The farm is in France, so its pictures would be in French.
        ...['--lang', 'en'],
        ...['--clock', instantText(at)],
        ...['--log-level', logLevel],
      ],
    };
    transcript.title('Acequia: a farm to try things on, and a conversation with it');
    await removeDemoFarm(file, serverOf(stage, FULL_DEMO_AT));
    await removeMailbox(mailboxPath(file));
    await removeMorning(morningFilePaths(file));
    const endedAt = await (options.full ? playEverything(stage) : playShort(stage));
    if (options.serve ?? (process.stdin.isTTY && process.stdout.isTTY))
      await servePage(program, file, stage.settingsAt(endedAt));
    return 0;
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    return 1;
  }
}

const instantText = (at: number): string => new Date(at).toISOString();

const serverOf = ({ program, file, settingsAt }: DemoStage, at: number): string[] => [
  program,
  ...['mcp', '--db', file],
  ...settingsAt(at),
];

/** Returns when the story ended. */
async function playShort(stage: DemoStage): Promise<number> {
  const { program, file } = stage;
  const history = demoHistory(STORY_ENDS_AT, SEED, STORY_PAST);
  await makeFarm(file, history, STORY_BEGINS_AT, [STORY_SCHEDULE]);
  transcript.text(`${DEMO_COMPANY} is a simulated farm in the south of France (${file}).`);
  transcript.text(
    `It is ${weekdayAgo(STORY_BEGINS_AT, 0)}, ${localTime(STORY_BEGINS_AT)}. You speak, an assistant calls the tools:`,
  );
  await converse(stage, STORY_BEGINS_AT, (client) =>
    playThirstyMorning(new DemoConversation(client)),
  );
  await passTime(file, history, { from: STORY_BEGINS_AT, now: STORY_ENDS_AT });
  const pictureFile = file.replace(/\.db$/, '-chart.png');
  await converse(stage, STORY_ENDS_AT, (client) =>
    playNoon(new DemoConversation(client), pictureFile),
  );
  showNextSteps(program, file);
  return STORY_ENDS_AT;
}

function showNextSteps(program: string, file: string): void {
  const acequia = `node ${program}`;
  const farm = `--db ${file} --clock ${instantText(STORY_ENDS_AT)}`;
  transcript.section('What next');
  transcript.lines([
    `Connect an assistant:  ${acequia} connect claude-code ${farm}`,
    '                       (or claude-desktop, codex, gemini, cursor, vscode, opencode)',
    `See it, and touch it:  ${acequia} demo --serve --db ${file}`,
    `See everything:        ${acequia} demo --full --db ${file}`,
    `Your own farm:         ${acequia} init (in a store of its own)`,
    '',
    `For this farm it is always ${weekdayAgo(STORY_ENDS_AT, 0)}, ${localTime(STORY_ENDS_AT)}: commands on it need its --clock.`,
  ]);
}

/** Returns when the story of the farm's own file ended; others play on copies of it. */
async function playEverything(stage: DemoStage): Promise<number> {
  const { program, file } = stage;
  const now = FULL_DEMO_AT;
  const history = demoHistory(now, SEED);
  showFarm(file, history, await makeFarm(file, history));
  const plan = await converse(stage, now, async (client) => {
    transcript.section('The conversation');
    transcript.text(
      `An MCP client has started ${client.server.name} ${client.server.version}, which lists ${client.toolCount} tools. What the person says is in quotes; an assistant chooses the calls and reads the answers aloud.`,
    );
    const remaining = await playFirstConversation(client, now);
    await playRain(client, history);
    return remaining;
  });
  await playClockChange(program, { file, plan, now });
  const alert = await setUpThreshold(serverOf(stage, now), history);
  await playDrySpell(program, { file, history, alert, now });
  await playMorning(program, { file, history, alert, plan, now }, morningFilePaths(file));
  const farm = ['--db', file, '--lang', 'en', '--clock', instantText(now)];
  showClientSnippets({ command: process.execPath, args: [program, 'mcp', ...farm] });
  return now;
}

async function converse<Result>(
  stage: DemoStage,
  at: number,
  scene: (client: DemoClient) => Promise<Result>,
): Promise<Result> {
  const { program, file, options, settingsAt } = stage;
  const service = options.throughRest ? await serveDemo(program, file, settingsAt(at)) : null;
  try {
    const args = service?.args ?? serverOf(stage, at);
    const client = await startDemoClient(process.execPath, args, service?.env);
    try {
      return await scene(client);
    } finally {
      await client.close();
    }
  } finally {
    await service?.stop();
  }
}

function showFarm(file: string, history: DemoHistory, counts: DemoFarmCounts): void {
  const now = history.instants.at(-1)!;
  transcript.section('The farm');
  transcript.text(`${DEMO_COMPANY}, in ${file}.`);
  transcript.text(
    `All times are local (${DEMO_ZONE}); in the demo it is ${weekdayAgo(now, 0)}, ${localTime(now)}.`,
  );
  transcript.lines([
    '',
    '  North block   peaches    probes North 1 and North 2           drip, 1.6 L/h, 2 emitters per m2',
    '  South block   apricots   probe South 1, South tension         equipment not declared yet',
    '  Weather mast, and two gateways, one of which was once silent for two days',
    '',
  ]);
  transcript.text(
    `It holds ${counts.waterings} waterings of ${DAYS_OF_READINGS} days, and ${counts.readings.toLocaleString('en')} readings, one every 15 minutes from each sensor, from a simulation of water in the soil. The last twelve days of moisture at North 1 (^ a recorded watering, ? one that nobody has reported yet):`,
  );
  transcript.lines(['', ...moistureBlockLines(history, 'North 1')]);
}

async function setUpThreshold(args: string[], history: DemoHistory): Promise<DemoAlert> {
  const client = await startDemoClient(process.execPath, args);
  try {
    transcript.section('A threshold to watch');
    return await playThreshold(
      new DemoConversation(client),
      probeMoisture(history, WATCHED_MODULE),
      history.instants.at(-1)!,
    );
  } finally {
    await client.close();
  }
}

function showClientSnippets(server: { command: string; args: string[] }): void {
  transcript.section('Connect your assistant to this farm');
  for (const { client, destination, text } of clientSnippets(server))
    transcript.lines([
      '',
      `${client}: ${destination}`,
      '',
      ...text.split('\n').map((line) => `  ${line}`),
    ]);
  transcript.lines(['']);
  transcript.text(
    `Each run of the demo makes this farm again; restart the assistant after it. For this farm it is always the day of the story (--clock). Your own farm goes into a store of its own: node ${server.args[0]} init.`,
  );
}

function describeFailure(error: unknown): string {
  if (error instanceof AcequiaError) return `${error.message} ${error.hint ?? ''}`.trim();
  if (error instanceof DemoError) return `The demo failed: ${error.message}.`;
  return `The demo failed: ${error instanceof Error ? error.message : String(error)}`;
}
