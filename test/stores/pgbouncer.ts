import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own, serverAccount } from './embedded-postgres.ts';
import { freePort } from './postgres-server.ts';

const NOT_INSTALLED = `
NOT TESTED THROUGH PGBOUNCER: it is not installed, so these tests are skipped.
`;

const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);
export const lacksPgBouncer: boolean = program === undefined;
if (lacksPgBouncer) process.stderr.write(NOT_INSTALLED);

export type PoolMode = 'session' | 'transaction' | 'statement';

export interface PgBouncer {
  /** The address through which it leads to the database. */
  readonly url: string;
  /** Sets the mode of transactions that begin from now on. */
  setMode(mode: PoolMode): Promise<void>;
}

/** Runs PgBouncer in front of the database with this URL. */
export async function withPgBouncer<T>(
  databaseUrl: string,
  settings: Readonly<Record<string, string | number>> & { readonly pool_mode: PoolMode },
  body: (bouncer: PgBouncer) => Promise<T>,
): Promise<T> {
  const account = await serverAccount();
  const folder = mkdtempSync(join(tmpdir(), 'acequia-pgbouncer-'));
  const port = await freePort();
  const database = new URL(databaseUrl);
  const file = (name: string) => join(folder, name);

  const write = (name: string, text: string): void => {
    writeFileSync(file(name), text);
    own(file(name), account);
  };
  const writeSettings = (changed: Readonly<Record<string, string | number>>): void => {
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'plain',
      auth_file: file('users.txt'),
      default_pool_size: 30,
      ...changed,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    const target = `* = host=${database.hostname} port=${database.port}`;
    write('pgbouncer.ini', `[databases]\n${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
  };

  own(folder, account);
  const password = decodeURIComponent(database.password);
  write('users.txt', `"${decodeURIComponent(database.username)}" "${password}"\n`);
  writeSettings(settings);
  const child = spawn(program!, [file('pgbouncer.ini')], { ...account, stdio: 'pipe' });
  try {
    const log = logOf(child);
    await log.has('process up');
    return await body({
      url: Object.assign(new URL(databaseUrl), { port: String(port) }).href,
      async setMode(pool_mode) {
        writeSettings({ ...settings, pool_mode });
        child.kill('SIGHUP');
        await log.has('got SIGHUP');
      },
    });
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

function logOf(child: ChildProcess) {
  let text = '';
  child.stdout?.resume();
  child.stderr!.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    child.emit('log');
  });
  return {
    async has(words: string): Promise<void> {
      while (!text.includes(words)) {
        if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${text}`);
        await Promise.race([once(child, 'log'), once(child, 'exit')]);
      }
    },
  };
}
