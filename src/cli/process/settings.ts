import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import envPaths from 'env-paths';
import { parseOffsetInstant } from '../../domain/calendar.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { TOOLSETS, type Toolset } from '../../operation/operation.ts';
import type { ToolFilter } from '../../operation/tool-filter.ts';
import { isPostgresUrl } from '../../store/store-location.ts';
import { LOG_LEVELS, type LogLevel } from './log.ts';

/** The process's clock in ms since 1970 UTC: real time, or one that started at `startsAt` and runs on. */
export function runningClock(startsAt: number | null): () => number {
  if (startsAt === null) return Date.now;
  const begun = performance.now();
  return () => startsAt + Math.floor(performance.now() - begun);
}

/** What every command is told by its options or their environment variables. */
export interface Settings {
  /** Where the store is: the path of a file, or the URL of a database, which may hold a password. */
  readonly db: string;
  /** Base address of a service that is used in place of a store. */
  readonly remote: string | null;
  /** From the environment alone: what stands on a line is seen by others. */
  readonly apiKey: string | null;
  /** Now, in ms since 1970 UTC. */
  readonly clock: () => number;
  /** What of it all is offered by MCP and by call. */
  readonly toolFilter: ToolFilter;
  /** What people hear and are written, where one was chosen; else each company's own. */
  readonly lang: Lang | undefined;
  readonly logLevel: LogLevel;
}

/** Commander would take any value for true. */
const READ_ONLY = 'ACEQUIA_READ_ONLY';

/** The platform's folder for the data of a program. */
export const dataFolder = (): string => envPaths('acequia', { suffix: '' }).data;

export const defaultDb = (): string => join(dataFolder(), 'acequia.db');

/** A span of time in ms. */
export function parseDurationOption(text: string): number {
  const parts = /^(\d+)\s*(min|h|d)$/.exec(text);
  const unit = { min: 60_000, h: 3_600_000, d: 86_400_000 }[parts?.[2] ?? ''];
  if (!parts || !unit || Number(parts[1]) === 0) throw new InvalidArgumentError('Give a span such as 30min, 1h or 1d.');
  return Number(parts[1]) * unit;
}

/** An instant in ms. */
export function parseInstantOption(text: string): number {
  const at = parseOffsetInstant(text);
  if (Number.isNaN(at))
    throw new InvalidArgumentError('Give an instant with its offset, such as 2026-07-01T06:00:00Z.');
  return at;
}

export const isUrl = (text: string): boolean => /^\w[\w+.-]+:\/\//.test(text);

/** A URL is kept as it is written. One that no store has is refused later, where it is not repeated: it may hold a password. */
export const parseStoreOption = (text: string): string => (isUrl(text) ? text : resolve(text));

/** Refuses a URL that no store has, by the name of what said it. */
export function rejectUnknownUrl(command: Command, name: string, db: string): void {
  if (isUrl(db) && !isPostgresUrl(db))
    command.error(`error: ${name} is a URL of another kind. Give the path of a file, or a postgres:// URL.`);
}

/** A base address; an empty one, as an environment variable may be, is none. */
function parseBaseAddress(text: string): string | null {
  if (text.trim() === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new InvalidArgumentError('Give the base address of the service, such as https://water.example.org/v1.');
  return text.trim();
}

/** Names of toolsets with commas between them; none, as an environment variable may have, are all. */
function parseToolsets(text: string): Toolset[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  if (names.every((name) => name === '')) return [];
  const isKnown = (name: string): name is Toolset => (TOOLSETS as readonly string[]).includes(name);
  if (!names.every(isKnown))
    throw new InvalidArgumentError(`Give some of ${TOOLSETS.join(', ')}, with commas between them.`);
  return TOOLSETS.filter((name) => names.includes(name));
}

/** A switch that only the environment gives a value. */
function isSwitchOn(variable: string, command: Command): boolean {
  const value = process.env[variable]?.trim().toLowerCase() ?? '';
  if (['1', 'true', 'yes', 'on'].includes(value)) return true;
  if (['', '0', 'false', 'no', 'off'].includes(value)) return false;
  // What cannot be understood must not end in writing.
  return command.error(`error: ${variable} is neither true nor false.`);
}

/** A whole number within bounds. */
export const wholeNumberParser =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
    return value;
  };

const commonOptions = (): Option[] => [
  new Option('--db <place>', 'the store: a file, or a postgres:// URL (default: acequia.db in the data folder)')
    .env('ACEQUIA_DB')
    .argParser(parseStoreOption),
  new Option('--remote <url>', 'a service to work with in place of a store; its key comes from ACEQUIA_API_KEY')
    .env('ACEQUIA_REMOTE_URL')
    .argParser(parseBaseAddress),
  new Option('--toolsets <names>', `offer these tools alone, for MCP and call: ${TOOLSETS.join(',')}`)
    .env('ACEQUIA_TOOLSETS')
    .argParser(parseToolsets),
  new Option('--read-only', 'offer nothing that writes, for MCP and call (env: ACEQUIA_READ_ONLY)'),
  new Option('--clock <instant>', 'start the clock at this instant and let it run on, for replays and tests')
    .env('ACEQUIA_CLOCK')
    .argParser(parseInstantOption),
  new Option('--lang <lang>', 'language of summaries, default names and mail (default: by the country of the company)')
    .env('ACEQUIA_LANG')
    .choices(LANGS),
  new Option('--log-level <level>', 'what is logged to stderr').env('ACEQUIA_LOG_LEVEL').choices(LOG_LEVELS),
];

/** Gives a command the options that all have. */
export function addCommonOptions(command: Command): Command {
  for (const option of commonOptions()) command.addOption(option);
  return command;
}

/** Has a command, and those below it, take a variable that is set to nothing for one that is not set. */
export function ignoreBlankVariables(command: Command): void {
  for (const option of command.options)
    if (option.envVar !== undefined && process.env[option.envVar]?.trim() === '') option.envVar = undefined;
  for (const each of command.commands) ignoreBlankVariables(each);
}

/** The settings of a command, given before or after its name; the nearer one wins, and the line over the environment. */
export function readSettings(command: Command): Settings {
  const lineage = lineageOf(command);
  const fromCommandLine = Object.assign({}, ...lineage.map((each) => valuesFrom(each, 'cli'))) as SettingValues;
  const fromEnvironment = Object.assign({}, ...lineage.map((each) => valuesFrom(each, 'env'))) as SettingValues;
  if (fromCommandLine.db !== undefined && fromCommandLine.remote !== undefined)
    command.error('error: --db and --remote exclude each other: either a store or a service is worked with.');
  const values = { ...fromEnvironment, ...fromCommandLine };
  const db = values.db ?? defaultDb();
  rejectUnknownUrl(command, '--db or ACEQUIA_DB', db);
  return {
    db,
    // Commander makes an empty text of what was parsed to null.
    remote: fromCommandLine.db === undefined ? values.remote || null : null,
    apiKey: process.env.ACEQUIA_API_KEY?.trim() || null,
    clock: runningClock(values.clock ?? null),
    toolFilter: {
      toolsets: values.toolsets?.length ? values.toolsets : null,
      isReadOnly: fromCommandLine.readOnly ?? isSwitchOn(READ_ONLY, command),
    },
    lang: values.lang,
    logLevel: values.logLevel ?? 'warn',
  };
}

const commandLineValues = (command: Command): SettingValues =>
  Object.assign({}, ...lineageOf(command).map((each) => valuesFrom(each, 'cli'))) as SettingValues;

function rejectRemote(command: Command): void {
  if (commandLineValues(command).remote !== undefined)
    command.error(
      `error: ${command.name()} works on a store; --remote is for mcp, call, chart, doctor and ingest, which can work on a service.`,
    );
}

/** The settings of a command that works on a store of its own, whatever the environment says for others. */
export function readStoreSettings(command: Command): Settings {
  rejectRemote(command);
  return readSettings(command);
}

/** The same for one that works on all of it. */
export function readUnfilteredStoreSettings(command: Command): Settings {
  rejectRemote(command);
  return readUnfilteredSettings(command);
}

/** The settings of a command that works on all of a store or a service. */
export function readUnfilteredSettings(command: Command): Settings {
  const fromCommandLine = commandLineValues(command);
  for (const [name, option] of [
    ['toolsets', '--toolsets'],
    ['readOnly', '--read-only'],
  ] as const)
    if (fromCommandLine[name] !== undefined)
      command.error(`error: ${command.name()} works on the whole store; ${option} is for MCP and call alone.`);
  return readSettings(command);
}

/** A command after those it is part of, outermost first. */
const lineageOf = (command: Command): Command[] => [...(command.parent ? lineageOf(command.parent) : []), command];

type SettingValues = {
  db?: string;
  remote?: string;
  toolsets?: Toolset[];
  readOnly?: boolean;
  clock?: number;
  lang?: Lang;
  logLevel?: LogLevel;
};

/** What was said in the environment, or on the line. */
function valuesFrom(command: Command, source: 'env' | 'cli'): SettingValues {
  const entries = Object.entries(command.opts()).filter(
    ([name, value]) =>
      value !== undefined && value !== null && name in SETTING_NAMES && command.getOptionValueSource(name) === source,
  );
  return Object.fromEntries(entries);
}
const SETTING_NAMES = {
  db: true,
  remote: true,
  toolsets: true,
  readOnly: true,
  clock: true,
  lang: true,
  logLevel: true,
};

/** By setting, whether it was said on the line or in the environment; what has its default is not named. */
export type SettingSources = { readonly [Name in keyof SettingValues]?: 'cli' | 'env' };

export function readSettingSources(command: Command): SettingSources {
  const commands = lineageOf(command);
  const sources: { [Name in keyof SettingValues]?: 'cli' | 'env' } = {};
  // The line is asked last: it wins.
  for (const source of ['env', 'cli'] as const)
    for (const name of commands.flatMap((each) => Object.keys(valuesFrom(each, source))))
      sources[name as keyof SettingValues] = source;
  return sources;
}

/** The environment variables that the options of every command are read from. */
export const settingVariables = (): string[] => [...commonOptions().flatMap(({ envVar }) => envVar ?? []), READ_ONLY];
