import { vi } from 'vitest';
import { ChartController } from '../../../../src/page/chart/control/chart-controller.ts';
import type { FarmListener, Service } from '../../../../src/page/service/page-service.ts';
import { DAY, iso } from '../../../time.ts';
import { NOW } from './views.ts';

const ALERT = { id: 'a1', threshold: '18', hysteresis: '5', reminderTime: '08:00:00' };
const STATE = {
  moduleId: 3,
  state: 'comfort',
  value_vwc: 22,
  time: iso(NOW),
  fieldCapacity: 28,
  wiltingPoint: 14,
  stressPoint: 21,
  allowedDepletion: 0.5,
};

/** One reading an interval until now, of two sensors: the hour of the day, and ten more. */
function series({ start, end, interval }: Record<string, string | number>) {
  const times: number[] = [];
  const stepMs = Number(interval) * 1000;
  for (
    let at = Date.parse(String(start));
    at < Math.min(Date.parse(String(end)), NOW);
    at += stepMs
  )
    times.push(at);
  const hours = times.map((at) => new Date(at).getUTCHours());
  return {
    type: 'humidity',
    interval_seconds: interval,
    data: times.map((at, index) => ({ time: iso(at), value_vwc: hours[index]! + 5 })),
    sensors: [
      { id: 1, depth: 15, weight: 0.5, values: hours },
      { id: 2, depth: 45, weight: 0.5, values: hours.map((hour) => hour + 10) },
    ],
  };
}

const noRows = { data: [], next_cursor: null };

const ANSWERS: Readonly<Record<string, (fields: Record<string, string | number>) => unknown>> = {
  get_module: () => ({ category: 'SOIL_PROBE', parcelId: 1 }),
  get_agronomic_state: () => STATE,
  get_moisture_series: series,
  list_alerts: () => ({ data: [{ ...ALERT, annotationId: null }], next_cursor: null }),
  list_annotations: () => noRows,
  list_waterings: () => noRows,
  list_rain: () => noRows,
  backtest_alert: () => ({ episodes: [], hoursBelow: 0, inForce: null }),
  suggest_thresholds: () => ({ fieldCapacity: 27.26, doubt: null }),
};

/** A chart of a probe with an alert at 18 %, whose service answers at once. */
export function chartOfProbe({ canWrite = true } = {}) {
  const requests: [operation: string, fields: object][] = [];
  const listeners = new Set<FarmListener>();
  const service = {
    async call(operation: string, fields: Record<string, string | number>) {
      requests.push([operation, fields]);
      return { body: ANSWERS[operation]?.(fields) ?? {}, changeId: 7 };
    },
    listen(listener: FarmListener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Service;

  const onChange = vi.fn();
  const onSaved = vi.fn();
  const setting = {
    ...({ lang: 'en', units: 'metric', theme: 'light' } as const),
    // Axis and labels take 176 px.
    width: 500 + 176,
    height: 300,
    canWrite,
    showsDepths: false,
    now: () => NOW,
    onSaved,
  };
  const period = { start: NOW - 10 * DAY, end: NOW };
  const source = { service, moduleId: 3, zone: 'UTC', period };
  const chart = new ChartController({ ...source, setting, onChange });

  /** Renders as a component does whenever it is told to. */
  const render = () => {
    const model = chart.model(setting);
    chart.show(model, setting);
    chart.loadMissing();
    return model;
  };

  /** Until nothing is left to load. */
  async function renderAll() {
    for (let step = 0; step < 6; step++) {
      render();
      await vi.advanceTimersByTimeAsync(0);
    }
    return render();
  }

  return { chart, requests, listeners, onChange, onSaved, render, renderAll, setting };
}
