import type { ListedDevice } from '../../schema/device.ts';

/** Units of what is measured; other kinds of reading are named as they are. */
const UNITS: Readonly<Record<string, string>> = {
  humidity: 'moisture %v %',
  temperature: 'temperature %v °C',
  tensio: 'tension %v kPa',
  rain: 'rain %v mm',
  wind: 'wind %v m/s',
  radiation: 'radiation %v W/m2',
};

/** Not an error: the counter of a gauge started again. */
export const describeLowerTotals = (count: number): string[] =>
  count > 0 ? [`${count} totals of rain below an earlier one of their day, which stays`] : [];

export const describeNewest = (newest: readonly { readonly type: string; readonly value: number }[]): string =>
  newest
    .slice(0, 3)
    .map(({ type, value }) => (UNITS[type] ?? `${type} %v`).replace('%v', String(value)))
    .join(', ');

type Radio = Pick<ListedDevice, 'batteryPercent' | 'batteryV' | 'rssi' | 'snr'>;

export const describeRadio = ({ batteryPercent, batteryV, rssi, snr }: Radio): string[] => [
  ...(batteryPercent !== null ? [`battery ${batteryPercent} %`] : batteryV !== null ? [`battery ${batteryV} V`] : []),
  ...(rssi !== null ? [`signal ${rssi} dBm${snr === null ? '' : `, SNR ${snr} dB`}`] : []),
];
