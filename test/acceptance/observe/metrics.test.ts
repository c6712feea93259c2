import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { operations } from '../../../tools/index.ts';
import { startMailServer } from '../../mail-server.ts';
import { executeStatements } from '../../stores/stores.ts';
import { storeWithWaitingMail } from '../mail/outbox-store.ts';
import { runCommand } from '../program.ts';
import { startServing } from '../rest-service.ts';
import {
  type ObservedService,
  observedServiceForFile,
  scrapeMetrics,
  startObservedService,
} from './observed-service.ts';

const METRICS = ['--metrics-port', '0'] as const;
const EVENTS = '/modules/1/irrigation/events';
const WATERING = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };

let service: ObservedService;
beforeAll(async () => {
  service = await observedServiceForFile({ ACEQUIA_METRICS_PORT: '0' });
});

describe('the metrics', () => {
  it('are in the text format, and the buckets of each histogram add up', async () => {
    const { get, post, metrics } = service;
    for (let count = 0; count < 3; count++) await get('/parcels');
    await post(EVENTS, WATERING);
    const { samples, types, figure } = await scrapeMetrics(metrics!);
    const histograms = [...types].filter(([, type]) => type === 'histogram').map(([name]) => name);
    expect(histograms).toEqual(
      expect.arrayContaining(['acequia_call_duration_seconds', 'acequia_store_wait_seconds']),
    );
    for (const name of histograms)
      for (const { labels, value } of samples.filter((each) => each.name === `${name}_count`)) {
        const isSame = (other: Readonly<Record<string, string>>) =>
          Object.entries(labels).every(([key, label]) => other[key] === label);
        const buckets = samples.filter(
          (each) => each.name === `${name}_bucket` && isSame(each.labels),
        );
        const counts = buckets.map((each) => each.value);
        expect(counts).toEqual([...counts].sort((a, b) => a - b));
        expect([buckets.at(-1)!.labels.le, counts.at(-1)]).toEqual(['+Inf', value]);
      }
    const parcels = { surface: 'rest', operation: 'list_parcels' };
    expect(figure('acequia_calls_total', parcels)).toBe(3);
    expect(figure('acequia_call_duration_seconds_count', parcels)).toBe(3);
    expect(figure('acequia_call_wait_seconds_count', parcels)).toBe(3);
    const waited = figure('acequia_call_wait_seconds_sum', parcels)!;
    expect(waited).toBeLessThanOrEqual(figure('acequia_call_duration_seconds_sum', parcels)!);
    // A write request reads its key first: one read and one write beside three reads.
    expect(
      figure('acequia_store_transaction_seconds_count', { side: 'write' }),
    ).toBeGreaterThanOrEqual(1);
    expect(
      figure('acequia_store_wait_seconds_count', { side: 'read', for: 'queue' }),
    ).toBeGreaterThanOrEqual(4);
    expect(figure('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(figure('acequia_store_up')).toBe(1);
  });

  it('count errors by code, and rate-limited requests separately', async () => {
    const { get, metrics } = await startObservedService(
      {},
      ...METRICS,
      '--rate-limit',
      '6',
      '--rate-burst',
      '2',
    );
    await get('/modules/99');
    await get('/company');
    expect((await get('/company')).status).toBe(429);
    const { figure } = await scrapeMetrics(metrics!);
    expect(
      figure('acequia_call_errors_total', { operation: 'get_module', code: 'not_found' }),
    ).toBe(1);
    expect(
      figure('acequia_call_errors_total', { operation: 'get_company', code: 'rate_limited' }),
    ).toBe(1);
    expect(figure('acequia_rate_limited_total', { surface: 'rest' })).toBe(1);
    expect(figure('acequia_calls_total', { operation: 'get_company' })).toBe(2);
  });

  it('have labels of few values, and none from a request', async () => {
    const { get, post, request, key, metrics } = service;
    await get('/modules/Secret%20field');
    await get('/secret/path');
    await request('PURGE', '/company', { key });
    await post(EVENTS, { ...WATERING, note: 'secret' }, { 'x-request-id': 'secret-id' });
    await fetch(new URL('/secret', metrics));
    const { samples } = await scrapeMetrics(metrics!);
    const names = new Set(operations.map(({ name }) => name));
    const own = samples.filter(({ name }) => name.startsWith('acequia_'));
    expect(own.length).toBeGreaterThan(20);
    for (const { labels } of own) {
      const { operation, surface } = labels;
      if (operation !== undefined)
        expect(
          names.has(operation) ||
            ['none', 'housekeeping', 'send_mail', 'send_push'].includes(operation),
        ).toBe(true);
      if (surface !== undefined) expect(['rest', 'tick', 'mail']).toContain(surface);
    }
    expect(JSON.stringify(samples).toLowerCase()).not.toContain('secret');
  });

  it('report mail, leases and alerts of the whole store', async () => {
    const db = await storeWithWaitingMail(3);
    await executeStatements(
      db,
      "update outbox set state = 'refused' where seq = (select max(seq) from outbox)",
      `insert into alert_states
           (alert_id, company_id, is_firing, since, pending_marks, evaluated_marks, notified_firing, notified_stale, is_rule_changed)
         select id, company_id, 1, 0, 0, 0, 0, 0, 0 from alerts`,
      `insert into leases (name, holder, expires_at) values ('outbox', 'other', ${Date.now() + 600_000})`,
    );
    const { metrics } = await startServing(db, METRICS);
    const { figure } = await scrapeMetrics(metrics!);
    expect(figure('acequia_outbox_messages', { state: 'waiting' })).toBe(2);
    expect(figure('acequia_outbox_messages', { state: 'refused' })).toBe(1);
    expect(figure('acequia_outbox_oldest_seconds')).toBeGreaterThan(0);
    expect(figure('acequia_alerts_firing')).toBe(1);
    expect(figure('acequia_lease_held', { lease: 'outbox' })).toBe(1);
    expect(figure('acequia_lease_held', { lease: 'import' })).toBe(0);
  });

  it('count the attempts to send a message by outcome', async () => {
    const db = await storeWithWaitingMail(2);
    const server = await startMailServer({
      reaction: (to) =>
        to.includes('+1') ? { at: 'RCPT', code: 550, text: 'No such person.' } : 'accept',
    });
    const { metrics } = await startServing(db, METRICS, { env: { ACEQUIA_SMTP_URL: server.url } });
    const figures = async () => {
      const { figure } = await scrapeMetrics(metrics!);
      const attempts = ['sent', 'refused'].map((outcome) =>
        figure('acequia_mail_attempts_total', { outcome }),
      );
      return [...attempts, figure('acequia_outbox_messages', { state: 'waiting' })];
    };
    await expect.poll(figures).toEqual([1, 1, 0]);
  });
});

it('docs/observability.md lists exactly the metrics, with examples that parse', async () => {
  const page = await readFile(new URL('../../../docs/observability.md', import.meta.url), 'utf8');
  const described = [...page.matchAll(/^\| `(acequia_\w+)` \|/gm)].map(([, name]) => name!);
  const { types } = await scrapeMetrics(service.metrics!);
  expect([...types.keys()].filter((name) => name.startsWith('acequia_')).sort()).toEqual(
    described.sort(),
  );
  const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text!);
  expect(examples).toHaveLength(3);
  for (const text of examples) {
    expect(parse(text)).toBeTypeOf('object');
    for (const [, name] of text.matchAll(/\b(acequia_\w+?)(?:_bucket)?(?=[{)[ ])/g))
      expect(described).toContain(name);
  }
});

describe('the port of the metrics', () => {
  it('is not that of the API, which serves no metrics', async () => {
    const { base, metrics } = service;
    expect(new URL(metrics!).port).not.toBe(new URL(base).port);
    expect(new URL(metrics!).hostname).toBe('127.0.0.1');
    expect((await fetch(new URL('/metrics', base))).status).toBe(404);
    expect((await fetch(`${base}/metrics`)).status).toBe(404);
    expect((await fetch(new URL('/v1/company', metrics))).status).toBe(404);
    expect((await fetch(metrics!, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${metrics}?name[]=a`)).status).toBe(200);
  });

  it('is not opened unless it is set', async () => {
    const { stdout, stop } = await startObservedService();
    expect((await stop()).code).toBe(0);
    expect(stdout()).not.toContain('Metrics');
  });

  it('ends the service with 1 if it is in use, and the error names the options', async () => {
    const { port } = new URL(service.metrics!);
    const second = await runCommand([
      'serve',
      '--db',
      service.db,
      '--port',
      '0',
      '--metrics-port',
      port,
    ]);
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain('--metrics-host and --metrics-port');
  });
});
