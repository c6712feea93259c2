import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'vitest';
import { afterTest } from '../../../cleanup.ts';
import type { AttackMessage, AttackPlan, AttackReport } from './attackers/plan.ts';

let bundle: Promise<string> | undefined;

/** Node runs no TypeScript by itself. Built once for all tests of this process. */
function attackersProgram(): Promise<string> {
  bundle ??= buildProgram();
  return bundle;
}

async function buildProgram(): Promise<string> {
  const outfile = join(await mkdtemp(join(inject('runFolder'), 'attackers-')), 'program.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./attackers/program.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  return outfile;
}

/** The attackers, in a process of their own. */
export class Attack {
  readonly #child: ChildProcess;
  readonly #report: Promise<AttackReport>;
  #isScheduleDone = false;

  static async start(plan: AttackPlan): Promise<Attack> {
    const attack = new Attack(fork(await attackersProgram(), { execArgv: [] }));
    attack.#child.send(plan);
    return attack;
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#report = new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`The attackers ended with ${code}.`)));
      child.on('message', (message: AttackMessage) => {
        if (message.kind === 'schedule done') this.#isScheduleDone = true;
        else resolve(message.report);
      });
    });
    // It is awaited when the attack is stopped.
    this.#report.catch(() => undefined);
    afterTest(() => void child.kill('SIGKILL'));
  }

  /** Whether the schedule was created and undone; true without one. */
  get isScheduleDone(): boolean {
    return this.#isScheduleDone;
  }

  async stop(): Promise<AttackReport> {
    const exited = once(this.#child, 'exit');
    this.#child.send('stop');
    const report = await this.#report;
    await exited;
    return report;
  }
}
