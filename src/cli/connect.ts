import { AcequiaError, refuse } from '../schema/error.ts';
import { isAgreed } from './connect/ask.ts';
import { backupOf, type Found, find, replace } from './connect/client-file.ts';
import { entryFor, entryKeeping, keepsSecretsOut } from './connect/dialect.ts';
import { withEntry } from './connect/edit.ts';
import { jsonOf } from './connect/edit-json.ts';
import { tomlOf } from './connect/edit-toml.ts';
import { sayChange, WIDEST, widthOf } from './connect/show-change.ts';
import { NAME, type Standing, standingIn } from './connect/standing.ts';
import { type Started, startedWith } from './connect/started.ts';
import { acequiaEntries, type Fields } from './doctor/client-entries.ts';
import { CLIENTS, type ClientFile, type ClientId, clientFiles } from './doctor/client-files.ts';
import { print } from './output.ts';
import type { Settings, Sources } from './settings.ts';

export interface ConnectOptions {
  readonly project?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly print?: boolean;
  readonly remove?: boolean;
}

/** Writes into the configuration of an assistant's program that it starts this server, or takes that out. Returns the exit code. */
export async function runConnect(
  client: ClientId,
  options: ConnectOptions,
  settings: Settings,
  sources: Sources,
): Promise<number> {
  try {
    const files = filesOf(client, options);
    const started = options.remove ? null : startedHere(client, settings, sources);
    if (started !== null && options.print) return printEntry(files[0]!, entryFor(client, started));
    const { file, found } = await chosen(files);
    const change = changeOf(file, found, started);
    if (change.after === change.before) {
      print(
        `${file.client} ${started ? 'is told of Acequia already, just so' : 'is not told of Acequia'}: ${file.path}\n`,
      );
      return 0;
    }
    show(file, found, change);
    if (options.dryRun) return 0;
    if (!options.yes && !(await isAgreed(change.question))) {
      process.stderr.write('Nothing was changed. With --yes it is written without a question.\n');
      return 1;
    }
    await replace(found, change.after);
    sayDone(file, found, started);
    return 0;
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    process.stderr.write(`${[error.message, error.hint].filter(Boolean).join(' ')}\n`);
    return 1;
  }
}

function filesOf(client: ClientId, { project = false }: ConnectOptions): ClientFile[] {
  const around = { env: process.env, platform: process.platform, folder: process.cwd() };
  const reach = project ? 'project' : 'user';
  const files = clientFiles(around).filter((file) => file.id === client && file.reach === reach);
  if (files.length > 0) return files;
  throw refuse('INVALID_CLIENT', `${CLIENTS[client]} has no file of its own for the folder ${around.folder}.`, {
    hint: 'Leave --project out: its file for the user counts in every folder.',
  });
}

function startedHere(client: ClientId, settings: Settings, sources: Sources): Started {
  const { execPath, platform, argv } = process;
  const started = startedWith(settings, sources, { execPath, platform, program: argv[1]! });
  if (settings.remote !== null && settings.apiKey === null && !keepsSecretsOut(client))
    throw refuse('INVALID_CLIENT', `${CLIENTS[client]} can be given the key of ${settings.remote} in its file alone.`, {
      hint: 'Set ACEQUIA_API_KEY for this command; it is written there.',
    });
  return started;
}

/** Of the files that a program reads, the one that speaks of us, else one that is there, else the first. */
async function chosen(files: readonly ClientFile[]): Promise<{ file: ClientFile; found: Found }> {
  const looked = await Promise.all(files.map(async (file) => ({ file, found: await find(file.path) })));
  const speaks = ({ file, found }: (typeof looked)[number]): boolean =>
    found.content !== null && standingIn(file, found.content) !== null;
  if (looked.length === 1) return looked[0]!;
  return looked.find(speaks) ?? looked.find(({ found }) => found.content !== null) ?? looked[0]!;
}

interface Change {
  readonly before: string;
  readonly after: string;
  readonly question: string;
  readonly standing: Standing | null;
  readonly entry: Fields | null;
}

function changeOf(file: ClientFile, { content }: Found, started: Started | null): Change {
  const before = content ?? '';
  const standing = standingIn(file, before);
  const wanted = started === null ? null : entryFor(file.id, started);
  const entry = wanted !== null && standing?.isOurs ? entryKeeping(standing.fields, wanted) : wanted;
  const isForeign = standing !== null && !standing.isOurs;
  const question = isForeign
    ? `The entry "${NAME}" there starts something else. ${entry === null ? 'Take it out' : 'Replace it'}?`
    : `${entry === null ? 'Take it out' : 'Write it'}?`;
  return { before, after: withEntry(file, before, entry), question, standing, entry };
}

function show(file: ClientFile, found: Found, { before, after, standing, entry }: Change): void {
  print(`${found.path}${found.content === null ? ' (new)' : ''}\n`);
  // A file that is one long line says nothing: then the entry is shown for it.
  const isWide = widthOf(before, after) > WIDEST;
  const shown = (fields: Fields | null | undefined): string => (fields ? textOf(file, fields) : '');
  print(isWide ? sayChange(shown(standing?.fields), shown(entry)) : sayChange(before, after));
  const other = acequiaEntries(file, before).find(({ name }) => name !== NAME);
  if (entry !== null && other)
    print(`The entry "${other.name}" there starts Acequia as well: with both, every tool is there twice.\n`);
}

const textOf = ({ format, servers }: ClientFile, entry: Fields): string =>
  (format === 'toml' ? tomlOf : jsonOf)([...servers[0]!, NAME], entry);

function printEntry(file: ClientFile, entry: Fields): number {
  print(textOf(file, entry));
  process.stderr.write(`For ${file.client}, this belongs into ${file.path}.\n`);
  return 0;
}

function sayDone(file: ClientFile, found: Found, started: Started | null): void {
  const lines = [
    `${file.client} ${started === null ? 'no longer starts' : 'now starts'} Acequia; start it anew to see that.`,
    ...(found.content === null ? [] : [`The file as it was before: ${backupOf(found.path)}`]),
  ];
  const named = Object.keys(started?.secrets ?? {});
  if (named.length > 0)
    lines.push(
      keepsSecretsOut(file.id)
        ? `${named.join(' and ')} has to be set where ${file.client} is started; the file only names it.`
        : `The file now holds ${named.join(' and ')}: keep it to yourself.`,
    );
  print(`${lines.join('\n')}\n`);
}
