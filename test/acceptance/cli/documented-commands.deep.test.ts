import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newServiceHome } from '../../cli/service/service-manager.ts';
import { startMailServer } from '../../mail-server.ts';
import { documentedCommands, ROOT } from '../../policy/documented-commands.ts';
import { cleanEnv } from '../program.ts';

const run = promisify(execFile);

/** Why a line is not run here. The first that matches counts, and each has a line. */
const NOT_RUN: readonly [line: RegExp, reason: string][] = [
  [/\bdocker\b/, 'Docker'],
  [/^node test\/clients\//, 'network: installs the clients of others'],
  [
    /water[.]example[.]org|auth[.]example[.]org|TENANT|zitadel|login[.]example/,
    'network: a service elsewhere',
  ],
  [/ingest mqtt|mosquitto_pub/, 'network: a broker elsewhere'],
  [/db1?[.]example[.]org|pg_dump|pg_ctl/, 'network: a database elsewhere'],
  [/ingest pull|OPENAI_API_KEY|ANTHROPIC_API_KEY|^claude /, 'account'],
  [/\bage -/, 'a program that is not everywhere'],
  [/vitest/, 'recursion: tests'],
  [/npm run bench(?! -- cold-start)/, 'recursion: takes as long as all tests'],
];

const reasonOf = (line: string): string | undefined =>
  NOT_RUN.find(([pattern]) => pattern.test(line))?.[1];

const pages = new Map<string, string[]>();
for (const { page, text } of documentedCommands()) {
  const lines = pages.get(page) ?? [];
  if (lines.at(-1) !== text) lines.push(text);
  pages.set(page, lines);
}

let folder: string;
let clone: string;
let bin: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acequia-clone-'));
  clone = join(folder, 'acequia');
  bin = join(folder, 'bin');
  await run('git', ['clone', '--quiet', ROOT, clone]);
  await run('npm', ['ci', '--prefer-offline'], { cwd: clone });
  await run('npm', ['run', 'build'], { cwd: clone });
  await mkdir(bin);
  const program = join(bin, 'acequia');
  await writeFile(program, `#!/bin/sh\nexec node "${clone}/dist/acequia.js" "$@"\n`);
  await chmod(program, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function sampleFarm(): Promise<string> {
  const page = await readFile(join(ROOT, 'docs', 'import.md'), 'utf8');
  const farm = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
  farm.company.name = 'Valley Farm';
  farm.users.push({ email: 'anna@example.org', name: 'Anna', role: 'MANAGER' });
  farm.users.push({ email: 'berta@farm.example', name: 'Berta', role: 'VIEWER' });
  const depths = [10, 20, 30, 40];
  farm.modules.push({
    uid: 'N2',
    name: 'North 2',
    category: 'SOIL_PROBE',
    sensors: [
      ...depths.map((depth) => ({ type: 'humidity', depth })),
      { type: 'temperature', depth: 20 },
    ],
  });
  farm.modules.push({ uid: 'YARD', name: 'Yard', category: 'WEATHER_STATION', sensors: [] });
  return JSON.stringify(farm);
}

const DRAGINO = {
  end_device_ids: { device_id: 'lse', dev_eui: 'A84041FFFF181F0D' },
  received_at: '2026-07-01T06:00:00Z',
  uplink_message: {
    f_port: 2,
    received_at: '2026-07-01T06:00:00Z',
    decoded_payload: { BatV: 3.3, TempC_SOIL: '19.10', conduct_SOIL: 88, water_SOIL: '23.40' },
  },
};

/** The files that the pages name. They take a farm and devices that have sent for granted too. */
const FILES: Readonly<Record<string, string>> = {
  'readings.csv': 'module,type,depth,time,value\nNorth 1,humidity,10,2026-07-01T06:00,23.4\n',
  'north-1.csv': 'time,Humidity 10 cm (%)\n2026-07-01 06:00,23.4\n',
  'export.csv': 'Date;Heure;Humidité sol 10 cm (%)\n29/06/2026;6:00;23,4\n',
  'payload.json': JSON.stringify(DRAGINO),
  'payload.txt':
    'PASSKEY=A1&stationtype=GW1000&dateutc=2026-07-01+06:00:00&soilmoisture1=23&model=GW1000',
  'answers.txt': 'Mas\n\nEurope/Paris\n\n\n\ny\n\n\n\n',
  'acequia.env': '',
  'unknown.json': JSON.stringify({
    end_device_ids: { device_id: 'soil', dev_eui: 'A84041FFFF181F0E' },
    received_at: '2026-07-01T06:00:00Z',
    uplink_message: {
      received_at: '2026-07-01T06:00:00Z',
      decoded_payload: { soil_moist: 23.4, temp1: 19.1 },
    },
  }),
  // A refusal ends curl with an error.
  '.curlrc': 'fail\nsilent\nshow-error\n',
};

interface Place {
  readonly folder: string;
  readonly env: Record<string, string>;
}

/** Makes a place whose commands of systemd change nothing on this computer. */
async function newPlace(port: number): Promise<Place> {
  const service = await newServiceHome();
  const folder = service.home;
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(folder, name), content);
  await writeFile(join(folder, 'farm.json'), await sampleFarm());
  await mkdir(join(folder, 'media', 'stick'), { recursive: true });
  const zentra = join(ROOT, 'test/cli/store-commands/exports/zentra.csv');
  await copyFile(zentra, join(folder, 'z6-30302.csv'));
  const env = {
    ...cleanEnv,
    HOME: folder,
    PATH: `${join(folder, 'bin')}:${bin}:${cleanEnv.PATH}`,
    TZ: 'Europe/Paris',
    PORT_OF_TEST: String(port),
  };
  return { folder, env };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

class Session {
  readonly #place: Place;
  readonly #port: number;
  readonly #mailPort: number;
  #key = '';
  #webhookKey = '';
  #server: ReturnType<typeof spawn> | null = null;

  constructor(place: Place, port: number, mailPort: number) {
    this.#place = place;
    this.#port = port;
    this.#mailPort = mailPort;
  }

  /** Null if it ended well. */
  async run(printed: string): Promise<string | null> {
    const line = await this.#inPlace(printed);
    const [, variable, value] = /^export (\w+)=(\S+)/.exec(line) ?? [];
    if (variable !== undefined) {
      this.#place.env[variable] = value ?? '';
      return null;
    }
    if (/^acequia serve\b/.test(line)) return this.#serve(line);

    const isOfClone = /^(?:npm|node|npx) /.test(line);
    const isInit = /acequia(?:[.]js)? init/.test(line);
    const isWebhook = line.includes('/ingest/$KEY');
    const env: Record<string, string> = {
      ...this.#place.env,
      KEY: isWebhook ? this.#webhookKey : this.#key,
    };
    const isOnNewComputer = isInit || /^acequia restore (?!.*--to)/.test(line);
    if (isOnNewComputer) env.HOME = (await newServiceHome()).home;
    // No address to wait for.
    if (/ service /.test(line)) env.ACEQUIA_PORT = '0';
    const child = spawn('bash', ['-c', `set -o pipefail; ${line}`], {
      cwd: isOfClone ? clone : this.#place.folder,
      env,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.stdin.on('error', () => undefined);
    child.stdin.end(isInit ? FILES['answers.txt'] : 'y\n');
    const [code] = await once(child, 'close');
    const key = /^acequia_[\w-]{43}$/m.exec(output)?.[0];
    if (key !== undefined && line.includes('--webhook')) this.#webhookKey = key;
    else if (key !== undefined) this.#key = key;
    return code === 0 ? null : `${line}\nended with ${code}: ${output.slice(-600)}`;
  }

  async end(): Promise<void> {
    if (this.#server === null || this.#server.exitCode !== null) return;
    this.#server.kill();
    await once(this.#server, 'close');
  }

  async #inPlace(line: string): Promise<string> {
    const media = join(this.#place.folder, 'media');
    const copies = await readdir(join(media, 'stick', 'acequia')).catch(() => []);
    const copy = copies.find((name) => name.endsWith('.db')) ?? 'none.db';
    return line
      .replace(/^(?:[*] ){5}/, '')
      .replaceAll('/media/', `${media}/`)
      .replaceAll('acequia-2026-07-01T03-00-00Z.db', copy)
      .replace('/path/to/acequia', clone)
      .replace('smtp://mail.example.org', `smtp://127.0.0.1:${this.#mailPort}`)
      .replace(/( service (?:install|remove)\b[^#]*)/, ' $1 --yes ')
      .replace('mqtts://…', 'mqtts://broker.example.org')
      .replaceAll('acequia_…', this.#key)
      .replaceAll('192.168.1.20', '127.0.0.1')
      .replaceAll(':8383', `:${this.#port}`)
      .replaceAll('PRESET', 'ttn/dragino-lse01');
  }

  async #serve(line: string): Promise<string | null> {
    await this.end();
    const words = line.replace(/ +#.*/, '').replace('0.0.0.0', '127.0.0.1');
    const server = spawn('bash', ['-c', `exec ${words} --port ${this.#port}`], {
      cwd: this.#place.folder,
      env: this.#place.env,
    });
    this.#server = server;
    let output = '';
    return new Promise((resolve) => {
      server.on('close', (code) => resolve(`${line}\nended with ${code}: ${output}`));
      for (const stream of [server.stdout, server.stderr])
        stream.on('data', (text) => {
          output += String(text);
          if (/Serving on/.test(output)) resolve(null);
        });
    });
  }
}

describe('the commands of README and docs on a fresh clone', () => {
  it('are left out for a reason that some line has', () => {
    const lines = [...pages.values()].flat();
    for (const [pattern] of NOT_RUN) expect(lines.some((line) => pattern.test(line))).toBe(true);
    expect(lines.filter((line) => reasonOf(line) === undefined).length).toBeGreaterThan(50);
  });

  it.each([...pages])('of %s end well', async (_page, lines) => {
    const port = await freePort();
    const place = await newPlace(port);
    const { port: mailPort } = await startMailServer();
    const session = new Session(place, port, mailPort);
    const prepare = [
      'acequia import farm.json',
      'acequia import farm.json --db farm.db',
      'acequia import readings.csv',
      'acequia keys create --preset ingest',
      'acequia serve',
      'curl -H "x-api-key: $KEY" --data-binary @unknown.json http://127.0.0.1:8383/v1/ingest/ttn/any',
    ];
    const faults: string[] = [];
    try {
      for (const line of [...prepare, ...lines]) {
        if (reasonOf(line) !== undefined) continue;
        const fault = await session.run(line);
        if (fault !== null) faults.push(fault);
      }
    } finally {
      await session.end();
    }
    expect(faults).toEqual([]);
    expect(existsSync(join(place.folder, 'farm.db'))).toBe(true);
  });
});
