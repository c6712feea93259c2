import type { KeptReading } from '../../store/ingest/devices.ts';

const UNITS: Readonly<Record<string, string>> = {
  humidity: 'moisture %v %',
  temperature: 'temperature %v °C',
  tensio: 'tension %v kPa',
  rain: 'rain %v mm',
};

export const describeNewest = (newest: readonly Pick<KeptReading, 'type' | 'value'>[]): string =>
  newest
    .slice(0, 3)
    .map(({ type, value }) => UNITS[type]!.replace('%v', String(value)))
    .join(', ');
