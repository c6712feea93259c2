import { readFile } from 'node:fs/promises';
import { SECOND } from '../../../time.ts';
import type { RestService } from '../../rest-service.ts';

/** The metrics of a service, as an operator reads them at their port. */
export class ServiceMonitor {
  readonly #service: RestService;

  constructor(service: RestService) {
    this.#service = service;
  }

  /** Throws unless the service is healthy. */
  async checkHealth(): Promise<void> {
    const { status } = await fetch(new URL('/health', this.#service.base));
    if (status !== 200) throw new Error(`/health was answered ${status}.`);
  }

  /** The longest that the event loop of the service stood still since the last call. */
  async longestStretchMs(): Promise<number> {
    const metrics = await (await fetch(this.#service.metrics!)).text();
    const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)?.[1];
    return Number(seconds) * SECOND;
  }

  /** The processor time of the service since its start; null where the system does not tell it. */
  async peakMemoryMb(): Promise<number | null> {
    const path = `/proc/${this.#service.child.pid}/status`;
    const status = await readFile(path, 'utf8').catch(() => '');
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
  }
}
