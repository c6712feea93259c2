import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { isDeepRun } from '../../property-runs.ts';
import { newServiceHome } from '../service/service-manager.ts';

type Home = Awaited<ReturnType<typeof newServiceHome>>;

interface Surroundings {
  readonly env?: Record<string, string>;
  readonly db?: string;
}

interface Scenario {
  readonly answers: readonly string[];
  readonly isTerminal?: boolean;
  readonly prepare?: (home: Home) => Promise<Surroundings | undefined>;
}

const COMPANY = ['Mas Rouge', 'FR', 'Europe/Paris'];
const USER = ['ana@example.org', 'Ana'];
const EQUIPMENT = ['drip', '1,6', '0.5 x 1 m', '1.5'];
const PARCEL = ['Bloc', 'olivier', ...EQUIPMENT, 'loam', '60'];
const PROBES = ['N1', '', '', 'A1', '2026-03-01', 'N2', 'tensio', '20 40', '', '', ''];
const FARM = [...COMPANY, ...USER, ...PARCEL, ...PROBES, ''];
const SHORT = [...COMPANY, '', '', '', 'y'];

/** The file of Cursor, which is then found. */
async function cursor({ home }: Home, content: string | Buffer | null): Promise<undefined> {
  await mkdir(join(home, '.cursor'));
  if (content !== null) await writeFile(join(home, '.cursor', 'mcp.json'), content);
}
const entries = (servers: Record<string, { command: string; args: string[] }>): string =>
  JSON.stringify({ mcpServers: servers }, null, 2);
const ofStore = (db: string) => ({
  command: 'node',
  args: ['/opt/acequia/dist/acequia.js', '--db', db],
});

const SCENARIOS: Record<string, Scenario> = {
  'accepts all that is offered': {
    answers: [...FARM, 'y', 'farm.json', '', 'y', '', ''],
    prepare: async (home) => {
      await cursor(home, null);
      return { env: { ACEQUIA_SMTP_URL: 'smtp://127.0.0.1:1' } };
    },
  },
  'declines all': {
    answers: [...FARM, 'y', '', '', 'n', 'n'],
    prepare: (home) => cursor(home, entries({ acequia: { command: 'other', args: [] } })),
  },
  'replaces the entry of another farm': {
    answers: [...SHORT, '', 'nobody', '', 'y', 'y', 'n'],
    prepare: (home) =>
      cursor(home, entries({ acequia: ofStore('/a.db'), 'hill-farm': ofStore('/b.db') })),
  },
  'has no assistant and no farm file that can be written': {
    answers: [...SHORT, 'notes.json', 'farm.db', 'none/farm.json', '', 'n'],
    prepare: async ({ home }) => {
      await writeFile(join(home, 'notes.json'), 'mine');
      return {};
    },
  },
  'answers at a terminal, again where it must': {
    isTerminal: true,
    answers: [
      ...['<', '', 'x'.repeat(201), 'Mas', 'Atlantis', 'FR', 'Pari', 'EST', 'Europe/Paris', 'ana'],
      ...['', 'Bloc', '', 'tap', 'drip', 'much', '900', '5 x', '0,5 x 1', '1 ha'],
      ...['drip', '', '4 mm/h', '', 'mud', '', '', 'N1', 'kPa', '', 'deep', '', '', 'soon'],
      ...['2999', '', 'n1', '', 'bloc', '', 'no'],
    ],
  },
  'gives equipment that none has, in a file of answers': {
    answers: [...COMPANY, '', 'Bloc', '', 'drip', '', '900 mm/h', ''],
  },
  'ends in the middle': { answers: FARM.slice(0, 9) },
  'says no at the end': { answers: [...FARM, 'n'] },
  'has a farm': { answers: [], prepare: async () => ({ db: await newBaseFarm() }) },
  'names a file that is no store': {
    answers: [],
    prepare: async ({ home }) => {
      await writeFile(join(home, 'farm.db'), 'These are notes, and no database at all.'.repeat(50));
      return {};
    },
  },
  'has a file of its assistant that is not UTF-8': {
    answers: [...SHORT, '', '', '', 'n'],
    prepare: (home) => cursor(home, Buffer.from([0xff, 0xfe, 0x7b])),
  },
  'has a broken file of its assistant': {
    answers: [...SHORT, '', '', '', 'n'],
    prepare: (home) => cursor(home, '{"mcpServers": '),
  },
  'has a list where its assistant has servers': {
    answers: [...SHORT, '', '', '', 'n'],
    prepare: (home) => cursor(home, '{"mcpServers": []}'),
  },
  'has a link to no file': {
    answers: [...SHORT, '', '', '', 'n'],
    prepare: async (home) => {
      await cursor(home, null);
      await symlink(join(home.home, 'none.json'), join(home.home, '.cursor', 'mcp.json'));
      return {};
    },
  },
  'has a key that is not accepted': {
    answers: [...SHORT, '', '', '', 'n'],
    prepare: async (home) => {
      await cursor(home, null);
      return { env: { ACEQUIA_API_KEY: `acequia_${'x'.repeat(43)}` } };
    },
  },
  'has a service manager that fails': {
    answers: [...SHORT, '', '', ''],
    prepare: async (home) => {
      await home.fail('enable', 'No medium');
      return {};
    },
  },
  'has settings that no service takes': {
    answers: [...SHORT, '', '', ''],
    prepare: async () => ({ env: { ACEQUIA_SMTP_URL: 'mail' } }),
  },
  'has another program at the address': {
    answers: [...SHORT, '', '', ''],
    prepare: async () => ({ env: { ACEQUIA_PORT: String(takenPort) } }),
  },
};

let takenPort = 0;
async function withTakenPort<T>(body: () => Promise<T>): Promise<T> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  takenPort = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    return await body();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function walk({ answers, isTerminal = false, prepare }: Scenario, lang: string) {
  const service = await newServiceHome();
  const prepared = (await prepare?.(service)) ?? {};
  const { home } = service;
  const env = { ...service.env, USERPROFILE: home, APPDATA: home, LANG: lang, ...prepared.env };
  const { stdout, stderr } = await runInProcess(
    ['init', '--db', prepared.db ?? join(home, 'farm.db')],
    { env, cwd: home, isTerminal, input: answers.map((answer) => `${answer}\n`).join('') },
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal moves the cursor.
  return `${stdout}\n${stderr}`.replaceAll(/\x1b\[[\d;]*\w/g, '\n').replaceAll(home, '/home');
}

/** Matches what a person types, files with their changes, and answers that are shown again. */
const NO_SENTENCE = [
  /^[-+] (?!#|Description).*$/gm,
  /^ *(?:"[\w-]+": ["{[\d]|[{}[\]]).*$/gm,
  /\b(?:node|acequia|systemctl|loginctl)(?: (?:--?[\w-]+|[\w/.-]+[/.][\w/.-]+|service|doctor|keys|create|assistant|install|import|connect|enable|daemon-reload|restart|serve|init))+/g,
  /ACEQUIA_\w+(?:=\S+)?/g,
];

/** Parts of sentences of at least two words. */
function phrasesOf(output: string): string[] {
  const text = NO_SENTENCE.reduce((left, pattern) => left.replaceAll(pattern, '\n'), output);
  const phrases = text.split(/[\n.:;,?!()[\]«»"“”|]/).map((phrase) => phrase.trim());
  return phrases.filter((phrase) => /\p{L}{2,}[’']?\s+(?:\S+\s+)*\p{L}{2,}/u.test(phrase));
}

/** Names, and what other programs say. */
const UNCHANGED = ['Mas Rouge', 'No medium', 'connect ECONNREFUSED 127'];

const englishOf = new Map<string, Promise<string>>();
function englishWalk(title: string, scenario: Scenario): Promise<string> {
  const walked = englishOf.get(title) ?? withTakenPort(() => walk(scenario, 'en_GB.UTF-8'));
  englishOf.set(title, walked);
  return walked;
}

describe.each(isDeepRun ? ['fr_FR.UTF-8', 'es_ES.UTF-8'] : ['fr_FR.UTF-8'])(
  'acequia init in %s has no English phrase',
  (lang) => {
    it.each(Object.entries(SCENARIOS))('for a person who %s', async (title, scenario) => {
      const english = await englishWalk(title, scenario);
      const other = await withTakenPort(() => walk(scenario, lang));
      const phrases = phrasesOf(english);
      expect(phrases.length).toBeGreaterThan(1);
      expect(phrasesOf(other).length).toBeGreaterThan(1);
      const shared = phrasesOf(other).filter((phrase) => phrases.includes(phrase));
      expect(shared.filter((phrase) => !UNCHANGED.includes(phrase))).toEqual([]);
    });
  },
);
