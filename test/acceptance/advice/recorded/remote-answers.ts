import { runCommand, startCommand, waitWhileRunning } from '../../program.ts';
import { startPartialService } from '../../remote/partial-service.ts';
import { STOPPED_CLOCK } from './farm-program.ts';
import { askFarm, type FarmAnswers } from './farm-questions.ts';
import type { RandomFarm } from './farms/random-farm.ts';

/** The endpoints that the service lacks: the client composes their answers from those of others. */
export const REMOTE_SERVICES = {
  'a whole service': /^$/,
  'a service without composed answers':
    /\/(advice|review|suggestion|chart|brief|overview|page)(\?|$)/,
  'a service without weather too':
    /\/(advice|review|suggestion|chart|brief|overview|page|rain|weather|devices)(\?|$|\/)/,
} as const;
export type RemoteService = keyof typeof REMOTE_SERVICES;

/** Asks with `--remote`, of each kind of service, about the farm in a store. */
export async function askRemotely(
  db: string,
  farm: RandomFarm,
): Promise<Record<RemoteService, FarmAnswers>> {
  const { stdout } = await runCommand([
    'keys',
    'create',
    '--preset',
    'everything',
    '--surface',
    'mcp',
    '--json',
    '--db',
    db,
  ]);
  const { key } = JSON.parse(stdout);
  const service = startCommand(
    ['serve', '--port', '0', '--rate-limit', '0', '--db', db, '--clock', farm.now],
    { env: STOPPED_CLOCK },
  );
  try {
    await waitWhileRunning(service, () => /^Serving on .*\n/m.test(service.stdout()));
    const base = /^Serving on (.*)\n/m.exec(service.stdout())![1]!;
    const answers: [string, FarmAnswers][] = [];
    for (const [name, missing] of Object.entries(REMOTE_SERVICES)) {
      const partial = await startPartialService(base, missing);
      try {
        const source = ['--remote', partial.base];
        answers.push([name, await askFarm(farm, source, { env: { ACEQUIA_API_KEY: key } })]);
      } finally {
        await partial.close();
      }
    }
    return Object.fromEntries(answers) as Record<RemoteService, FarmAnswers>;
  } finally {
    await service.stop();
  }
}
