import { UPLOAD_BYTES, type UploadForm } from '../mix.ts';
import { ConsiderateClient } from './considerate-client.ts';
import { Outcomes } from './outcomes.ts';
import type { AttackPlan, OutcomeCounts } from './plan.ts';

const HOUR_MS = 3_600_000;
const DEPTH_CM = 30;

/** Below and above the alert of the company: every batch changes what the last one wrote. */
const VALUES = [12.25, 28.75] as const;

const ROW_OF: Record<UploadForm, (module: string, time: string, value: number) => string> = {
  json: (module, time, value) => {
    const reading = { module, type: 'humidity', depth: DEPTH_CM, time, value };
    return JSON.stringify(reading);
  },
  csv: (module, time, value) => `${module},humidity,${DEPTH_CM},${time},${value},from the gateway`,
};

const HEADER: Record<UploadForm, string> = {
  json: '{"readings":[',
  csv: 'module,type,depth,time,value,remark\n',
};
const SEPARATOR: Record<UploadForm, string> = { json: ',', csv: '\n' };
const FOOTER: Record<UploadForm, string> = { json: ']}', csv: '' };
const CONTENT_TYPE: Record<UploadForm, string> = { json: 'application/json', csv: 'text/csv' };

/** The newest hours of every probe, as many as 10 MB hold. */
function batchOf(form: UploadForm, probes: AttackPlan['probes'], value: number): string {
  const newest = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const rows: string[] = [];
  let bytes = 0;
  for (let hour = 0; bytes < UPLOAD_BYTES; hour++) {
    const time = new Date(newest - hour * HOUR_MS).toISOString();
    for (const { name } of probes) {
      const row = ROW_OF[form](name, time, value);
      rows.push(row);
      bytes += row.length + 1;
    }
  }
  return HEADER[form] + rows.join(SEPARATOR[form]) + FOOTER[form];
}

/** A key for ingest that sends batches of 10 MB, one after the other. */
export class Uploader {
  readonly #outcomes = new Outcomes();
  readonly #plan: AttackPlan;
  readonly #upload: AttackPlan['uploads'][number];

  constructor(plan: AttackPlan, upload: AttackPlan['uploads'][number]) {
    this.#plan = plan;
    this.#upload = upload;
  }

  start(): void {
    void this.#uploadRepeatedly();
  }

  report(): OutcomeCounts {
    return this.#outcomes.counts();
  }

  async #uploadRepeatedly(): Promise<never> {
    const { key, form } = this.#upload;
    const { base, probes } = this.#plan;
    const client = new ConsiderateClient({ 'x-api-key': key, 'content-type': CONTENT_TYPE[form] });
    const url = new URL(`${base}/ingest`);

    for (let n = 0; ; n++) {
      const body = batchOf(form, probes, VALUES[n % VALUES.length]!);
      await client.send(url, { method: 'POST', body }, (outcome) => this.#outcomes.add(outcome));
    }
  }
}
