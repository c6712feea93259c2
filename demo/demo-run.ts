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
import type { DemoPlan } from './scenes/schedule-plan.ts';
import { type DemoAlert, playThreshold, WATCHED_MODULE } from './scenes/threshold.ts';
import { mailboxPath, removeMailbox } from './servers/mailbox.ts';
import { startDemoClient } from './servers/mcp-client.ts';
import { serveDemo } from './servers/rest-service.ts';

/** The same farm for everyone, but for the day on which it is made. */
const SEED = 7;

export interface DemoOptions {
  /** The conversation goes through a service over REST, instead of working on the store. */
  readonly throughRest?: boolean;
}

/**
 * Makes the demo farm, walks through a conversation with the built server, and tells how to connect an assistant.
 * Returns the exit code: 1 when the farm cannot be made or an answer is not as told.
 */
export async function runDemo(
  { throughRest = false }: DemoOptions,
  { db, clock, logLevel }: Settings,
): Promise<number> {
  try {
    const file = demoFilePath(db);
    // The last reading's instant is the demo's now: no step of it is late enough to fall on another day.
    const now = Math.floor(clock() / READING_INTERVAL_MS) * READING_INTERVAL_MS;
    const program = fileURLToPath(new URL('./acequia.js', import.meta.url));
    // The farm lies in France, where people hear French unless something else is said.
    const english = ['--lang', 'en'];
    const server = [program, 'mcp', '--db', file, ...english];
    const options = ['--clock', new Date(now).toISOString(), '--log-level', logLevel];
    const serverOfNow = [...server, ...options];
    transcript.title('Acequia: a farm to try things on, and a conversation with it');
    await removeDemoFarm(file, serverOfNow);
    await removeMailbox(mailboxPath(file));
    const morning = morningFilePaths(file);
    await removeMorning(morning);
    const history = demoHistory(now, SEED);
    showFarm(file, history, await makeFarm(file, history));
    const plan = throughRest
      ? await converseThroughRest(program, file, [...english, ...options], now)
      : await converse(serverOfNow, now);
    await playClockChange(program, { file, plan, now });
    const alert = await setUpThreshold(serverOfNow, history);
    await playDrySpell(program, { file, history, alert, now });
    await playMorning(program, { file, history, alert, plan, now }, morning);
    showClientSnippets({ command: process.execPath, args: server });
    return 0;
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    return 1;
  }
}

function showFarm(file: string, history: DemoHistory, made: DemoFarmCounts): void {
  const now = history.instants.at(-1)!;
  transcript.section('The farm');
  transcript.text(`${DEMO_COMPANY}, made anew in ${file}.`);
  transcript.text(`All times are local (${DEMO_ZONE}); in the demo it is ${weekdayAgo(now, 0)}, ${localTime(now)}.`);
  transcript.lines([
    '',
    '  North block   olives     probes North 1 and North 2           drip, 1.6 L/h, 2 emitters per m2',
    '  South block   apricots   probe South 1, South tension         equipment not declared yet',
    '  Weather mast, and two gateways, of which one once was silent for two days',
    '',
  ]);
  transcript.text(
    `In the books: ${made.waterings} waterings of ${DAYS_OF_READINGS} days, and ${made.readings.toLocaleString('en')} readings, one every 15 minutes from each sensor, out of a simulation of water in the soil. The last twelve days of moisture at North 1 (^ a watering in the books, ? one that nobody has told yet):`,
  );
  transcript.lines(['', ...moistureBlockLines(history, 'North 1')]);
}

async function converseThroughRest(program: string, file: string, options: string[], now: number): Promise<DemoPlan> {
  transcript.section('The service');
  const { args, env, stop } = await serveDemo(program, file, options);
  try {
    return await converse(args, now, env);
  } finally {
    await stop();
  }
}

async function converse(args: string[], now: number, env?: Record<string, string>): Promise<DemoPlan> {
  const client = await startDemoClient(process.execPath, args, env);
  try {
    transcript.section('The conversation');
    transcript.text(
      `An MCP client has started ${client.server.name} ${client.server.version} over standard input and output, which lists ${client.toolCount} tools. What the person says stands in quotes; an assistant would choose the calls, and read the answers out.`,
    );
    return await playFirstConversation(client, now);
  } finally {
    await client.close();
  }
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
  for (const { assistant, destination, text } of clientSnippets(server))
    transcript.lines(['', `${assistant}: ${destination}`, '', ...text.split('\n').map((line) => `  ${line}`)]);
  transcript.lines(['']);
  transcript.text(
    'The demo makes this farm anew each time it runs; restart the assistant after that. Your own farm goes into a store of its own: acequia import farm.json.',
  );
}

function describeFailure(error: unknown): string {
  if (error instanceof AcequiaError) return `${error.message} ${error.hint ?? ''}`.trim();
  if (error instanceof DemoError) return `The demo did not go as told: ${error.message}.`;
  return `The demo failed: ${error instanceof Error ? error.message : String(error)}`;
}
