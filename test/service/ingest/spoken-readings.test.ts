import { expect, it } from 'vitest';
import { withTimeOfSpokenReadings } from '../../../src/service/ingest/batch/spoken-readings.ts';

const NOW = Date.UTC(2026, 5, 20, 10, 0, 30);

it.each(['humidity_20', 'humidity_20 (%)', 'Tension 20 cm (kPa)', 'tensio_20;humidity_10 (%)'])(
  'dates a row of %s without a time',
  (header) => {
    expect(withTimeOfSpokenReadings(`${header}\n21`, NOW)).toMatch(
      /^time[,;].+\n2026-06-20T10:00:00.000Z[,;]21$/,
    );
  },
);

it.each(['humidity_20 (%)\n21\n22', 'time,humidity_20\n06:00,21', 'note\n21'])(
  'leaves %j as it is',
  (csv) => {
    expect(withTimeOfSpokenReadings(csv, NOW)).toBe(csv);
  },
);
