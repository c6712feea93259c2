import { SECOND } from '../../../time.ts';
import { type RestService, serveStoreForTest } from '../../rest-service.ts';
import { Attack } from './attack.ts';
import { ATTACKER, attackersFarm, newAttackedStore } from './attacked-store.ts';
import { planAttack } from './credentials.ts';
import { measureUntil } from './measurement.ts';
import type { AttackMix } from './mix.ts';
import type { AttackResult } from './report.ts';
import { ServiceMonitor } from './service-monitor.ts';
import { WateringAssistant } from './watering-assistant.ts';

const IDLE_MS = 10 * SECOND;
/** A schedule may take longer than the attack was to last, but not without end. */
const MAX_EXTENSION = 5;

const afterMs = (ms: number): (() => boolean) => {
  const endMs = performance.now() + ms;
  return () => performance.now() >= endMs;
};

interface AttackOptions {
  readonly title: string;
  readonly mix: AttackMix;
  /** It lasts longer until the schedule is done. */
  readonly attackMs: number;
}

/** Measures the service on an idle machine, then beside an attack. */
export async function runAttack({ title, mix, attackMs }: AttackOptions): Promise<AttackResult> {
  const service = await serveStoreForTest(await newAttackedStore(), '--metrics-port', '0');
  await watchOneProbe(service);
  const plan = await planAttack(service, mix);
  const assistant = await WateringAssistant.connect(service);
  const monitor = new ServiceMonitor(service);

  const idle = await measureUntil(afterMs(IDLE_MS), assistant, monitor);

  const attack = await Attack.start(plan);
  const [isOver, isTooLong] = [afterMs(attackMs), afterMs(MAX_EXTENSION * attackMs)];
  const isEnded = () => isTooLong() || (isOver() && attack.isScheduleDone);
  const attacked = await measureUntil(isEnded, assistant, monitor);
  const peakMemoryMb = await monitor.peakMemoryMb();
  const attackers = await attack.stop();

  const [logged, stored] = [assistant.logged, await assistant.storedWaterings()];
  return { title, idle, attacked, attackers, logged, stored, peakMemoryMb };
}

/** Creates an alert that uploads make fire and resolve, so that streams have something to send. */
async function watchOneProbe(service: RestService): Promise<void> {
  const key = await service.newKey('--company', ATTACKER);
  const { probes } = await attackersFarm(service.db);
  const body = { moduleId: probes[0]!.id, threshold: 17.5 };
  const { status } = await service.request('POST', '/alerts', { key, body });
  if (status !== 201) throw new Error(`The alert was answered ${status}.`);
}
