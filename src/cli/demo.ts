import { fileURLToPath } from 'node:url';
import { startDemoClient } from '../mcp/demo-client.ts';
import { AcequiaError } from '../schema/error.ts';
import { moistureOf } from './demo/ahead.ts';
import { DAYS_OF_READINGS, localTime, READING_EVERY, weekdayAgo } from './demo/calendar.ts';
import { connections } from './demo/connect.ts';
import { Conversation, DemoFault } from './demo/conversation.ts';
import { curvesOf } from './demo/curves.ts';
import { drySpell } from './demo/dry-spell.ts';
import { DEMO_COMPANY, DEMO_ZONE } from './demo/farm.ts';
import { demoFile, removeDemoFarm } from './demo/file.ts';
import { lookLater } from './demo/later.ts';
import { mailboxOf, removeMailbox } from './demo/mailbox.ts';
import { type MadeFarm, makeFarm } from './demo/make.ts';
import { morningTalk } from './demo/morning.ts';
import type { DemoPlan } from './demo/plan.ts';
import { type DemoHistory, demoHistory } from './demo/readings.ts';
import { type DemoAlert, setThreshold, WATCHED } from './demo/threshold.ts';
import { serveDemo } from './demo/through-rest.ts';
import { transcript } from './demo/transcript.ts';
import { walk } from './demo/walk.ts';
import { morningFilesOf, removeMorning } from './demo/written-morning.ts';
import type { Settings } from './settings.ts';

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
    const file = demoFile(db);
    // The last reading's instant is the demo's now: no step of it is late enough to fall on another day.
    const now = Math.floor(clock() / READING_EVERY) * READING_EVERY;
    const program = fileURLToPath(new URL('./acequia.js', import.meta.url));
    // The farm lies in France, where people hear French unless something else is said.
    const english = ['--lang', 'en'];
    const server = [program, 'mcp', '--db', file, ...english];
    const options = ['--clock', new Date(now).toISOString(), '--log-level', logLevel];
    const serverOfNow = [...server, ...options];
    transcript.title('Acequia: a farm to try things on, and a conversation with it');
    await removeDemoFarm(file, serverOfNow);
    await removeMailbox(mailboxOf(file));
    const morning = morningFilesOf(file);
    await removeMorning(morning);
    const history = demoHistory(now, SEED);
    showFarm(file, history, await makeFarm(file, history));
    const plan = throughRest
      ? await talkThroughRest(program, file, [...english, ...options], now)
      : await talk(serverOfNow, now);
    await lookLater(program, { file, plan, now });
    const alert = await talkOfThreshold(serverOfNow, history);
    await drySpell(program, { file, history, alert, now });
    await morningTalk(program, { file, history, alert, plan, now }, morning);
    showConnections({ command: process.execPath, args: server });
    return 0;
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    return 1;
  }
}

function showFarm(file: string, history: DemoHistory, made: MadeFarm): void {
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
  transcript.lines(['', ...curvesOf(history, 'North 1')]);
}

async function talkThroughRest(program: string, file: string, options: string[], now: number): Promise<DemoPlan> {
  transcript.section('The service');
  const { args, env, stop } = await serveDemo(program, file, options);
  try {
    return await talk(args, now, env);
  } finally {
    await stop();
  }
}

async function talk(args: string[], now: number, env?: Record<string, string>): Promise<DemoPlan> {
  const client = await startDemoClient(process.execPath, args, env);
  try {
    transcript.section('The conversation');
    transcript.text(
      `An MCP client has started ${client.server.name} ${client.server.version} over standard input and output, which lists ${client.toolCount} tools. What the person says stands in quotes; an assistant would choose the calls, and read the answers out.`,
    );
    return await walk(client, now);
  } finally {
    await client.close();
  }
}

async function talkOfThreshold(args: string[], history: DemoHistory): Promise<DemoAlert> {
  const client = await startDemoClient(process.execPath, args);
  try {
    transcript.section('A threshold to watch');
    return await setThreshold(new Conversation(client), moistureOf(history, WATCHED), history.instants.at(-1)!);
  } finally {
    await client.close();
  }
}

function showConnections(server: { command: string; args: string[] }): void {
  transcript.section('Connect your assistant to this farm');
  for (const { assistant, where, text } of connections(server))
    transcript.lines(['', `${assistant}: ${where}`, '', ...text.split('\n').map((line) => `  ${line}`)]);
  transcript.lines(['']);
  transcript.text(
    'The demo makes this farm anew each time it runs; restart the assistant after that. Your own farm goes into a store of its own: acequia import farm.json.',
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof AcequiaError) return `${error.message} ${error.hint ?? ''}`.trim();
  if (error instanceof DemoFault) return `The demo did not go as told: ${error.message}.`;
  return `The demo failed: ${error instanceof Error ? error.message : String(error)}`;
}
