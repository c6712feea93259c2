import { fileURLToPath } from 'node:url';
import { clientSnippets } from '../src/cli/connect/client-snippets.ts';
import type { Settings } from '../src/cli/process/settings.ts';
import { AcequiaError } from '../src/schema/error.ts';
import { DAYS_OF_READINGS, localTime, READING_INTERVAL_MS, weekdayAgo } from './farm/calendar.ts';
import { DEMO_COMPANY, DEMO_ZONE } from './farm/demo-farm.ts';
import { type DemoFarmCounts, demoFilePath, makeFarm, removeDemoFarm } from './farm/demo-store.ts';
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
import { playShortStory } from './scenes/short-story.ts';
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

interface DemoStage {
  readonly program: string;
  readonly file: string;
  readonly history: DemoHistory;
  readonly server: string[];
  readonly now: number;
  readonly options: DemoOptions;
}

/**
 * Every answer is compared with a calculation by hand. Returns the exit code: 1 if the farm cannot
 * be made or an answer differs.
 */
export async function runDemo(
  options: DemoOptions,
  { db, clock, logLevel }: Settings,
): Promise<number> {
  try {
    const file = demoFilePath(db);
    // The instant of the last reading, so that no step of the demo falls on another day.
    const now = Math.floor(clock() / READING_INTERVAL_MS) * READING_INTERVAL_MS;
    const program = fileURLToPath(new URL('./acequia.js', import.meta.url));
    // The farm is in France, so its pictures would be in French.
    const settings = [
      '--lang',
      'en',
      '--clock',
      new Date(now).toISOString(),
      '--log-level',
      logLevel,
    ];
    const server = [program, 'mcp', '--db', file, ...settings];
    transcript.title('Acequia: a farm to try things on, and a conversation with it');
    await removeDemoFarm(file, server);
    await removeMailbox(mailboxPath(file));
    await removeMorning(morningFilePaths(file));
    const history = demoHistory(now, SEED);
    const counts = await makeFarm(file, history);
    const stage = { program, file, history, server, now, options };
    await (options.full ? playEverything(stage, counts) : playShort(stage));
    if (options.serve ?? (process.stdin.isTTY && process.stdout.isTTY))
      await servePage(program, file, settings);
    return 0;
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    return 1;
  }
}

async function playShort(stage: DemoStage): Promise<void> {
  const { program, file, history, now } = stage;
  transcript.text(`${DEMO_COMPANY} is a simulated farm in the south of France (${file}).`);
  transcript.text(
    `It is ${weekdayAgo(now, 0)}, ${localTime(now)}. You speak, an assistant calls the tools:`,
  );
  const pictureFile = file.replace(/\.db$/, '-chart.png');
  await converse(stage, (client) =>
    playShortStory(new DemoConversation(client), { history, now, pictureFile }),
  );
  const acequia = `node ${program}`;
  transcript.section('What next');
  transcript.lines([
    `Connect an assistant:  ${acequia} connect claude-code --db ${file}`,
    '                       (or claude-desktop, codex, gemini, cursor, vscode, opencode)',
    `See it, and touch it:  ${acequia} demo --serve --db ${file}`,
    `See everything:        ${acequia} demo --full --db ${file}`,
    `Your own farm:         ${acequia} init (in a store of its own)`,
  ]);
}

async function playEverything(stage: DemoStage, counts: DemoFarmCounts): Promise<void> {
  const { program, file, history, server, now } = stage;
  showFarm(file, history, counts);
  const plan = await converse(stage, async (client) => {
    transcript.section('The conversation');
    transcript.text(
      `An MCP client has started ${client.server.name} ${client.server.version}, which lists ${client.toolCount} tools. What the person says is in quotes; an assistant chooses the calls and reads the answers aloud.`,
    );
    const remaining = await playFirstConversation(client, now);
    await playRain(client, history);
    return remaining;
  });
  await playClockChange(program, { file, plan, now });
  const alert = await setUpThreshold(server, history);
  await playDrySpell(program, { file, history, alert, now });
  await playMorning(program, { file, history, alert, plan, now }, morningFilePaths(file));
  showClientSnippets({
    command: process.execPath,
    args: [program, 'mcp', '--db', file, '--lang', 'en'],
  });
}

async function converse<Result>(
  { program, file, server, options }: DemoStage,
  scene: (client: DemoClient) => Promise<Result>,
): Promise<Result> {
  const settings = server.slice(server.indexOf('--lang'));
  const service = options.throughRest ? await serveDemo(program, file, settings) : null;
  try {
    const client = await startDemoClient(process.execPath, service?.args ?? server, service?.env);
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
    'Each run of the demo makes this farm again; restart the assistant after it. Your own farm goes into a store of its own: acequia init.',
  );
}

function describeFailure(error: unknown): string {
  if (error instanceof AcequiaError) return `${error.message} ${error.hint ?? ''}`.trim();
  if (error instanceof DemoError) return `The demo failed: ${error.message}.`;
  return `The demo failed: ${error instanceof Error ? error.message : String(error)}`;
}
