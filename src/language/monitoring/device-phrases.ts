import { englishCount } from '../en/grammar.ts';

/** What devices measure, by the type of the reading; others are named as they are. */
const MEASURED: Readonly<Record<string, (value: string) => string>> = {
  humidity: (value) => `moisture ${value} %`,
  temperature: (value) => `temperature ${value} °C`,
  rain: (value) => `rain ${value} mm`,
  wind: (value) => `wind ${value} m/s`,
  radiation: (value) => `radiation ${value} W/m2`,
  tensio: (value) => `tension ${value} kPa`,
};

export const devicePhrases = {
  reading: (type: string, value: string) => MEASURED[type]?.(value) ?? `${type} ${value}`,
  assigned: (device: string, depths: string | null, earlierReadings: number) =>
    `Its readings come from the device ${device}${depths === null ? '' : `, at ${depths} cm`}${earlierReadings === 0 ? '' : `; ${englishCount(earlierReadings, 'reading that it had already sent was', 'readings that it had already sent were')} stored`}.`,
  battery: (level: string) => `battery ${level}`,
  signal: (dBm: string, snr: string | null) =>
    `signal ${dBm} dBm${snr === null ? '' : ` (SNR ${snr} dB)`}`,
  status: (device: string, at: string, parts: readonly string[]) =>
    `Device ${[`${device} last sent ${at}`, ...parts].join(', ')}.`,
  unassigned: (devices: readonly string[], others: number) =>
    `${devices.length + others === 1 ? 'A device that is not assigned sends' : 'Devices that are not assigned send'}: ${devices.join('; ')}${others === 0 ? '' : `; and ${others} more`}. Assign ${devices.length + others === 1 ? 'it' : 'each'} to a probe with set_module.`,
};
