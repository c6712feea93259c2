import type { Language } from '../en/index.ts';
import { spanishCount } from './grammar.ts';

const MEASURED: Readonly<Record<string, (value: string) => string>> = {
  humidity: (value) => `humedad ${value} %`,
  temperature: (value) => `temperatura ${value} °C`,
  rain: (value) => `lluvia ${value} mm`,
  wind: (value) => `viento ${value} m/s`,
  radiation: (value) => `radiación ${value} W/m2`,
  tensio: (value) => `tensión ${value} kPa`,
};

export const spanishDevice: Language['device'] = {
  reading: (type, value) => MEASURED[type]?.(value) ?? `${type} ${value}`,
  assigned: (device, depths, kept) =>
    `Sus medidas vienen del dispositivo ${device}${depths === null ? '' : `, a ${depths} cm`}${kept === 0 ? '' : `; también ${spanishCount(kept, 'medida recibida antes cuenta', 'medidas recibidas antes cuentan')}`}.`,
  battery: (level) => `batería ${level}`,
  signal: (dBm, snr) => `señal ${dBm} dBm${snr === null ? '' : ` (SNR ${snr} dB)`}`,
  status: (device, at, parts) => `Dispositivo ${[`${device}: último envío ${at}`, ...parts].join(', ')}.`,
  unassigned: (devices, others) =>
    devices.length + others === 1
      ? `Un dispositivo sin asignar envía medidas: ${devices.join('; ')}. Asígnelo a una sonda con set_module.`
      : `Hay dispositivos sin asignar que envían medidas: ${devices.join('; ')}${others === 0 ? '' : `; y ${others} más`}. Asigne cada uno a una sonda con set_module.`,
};
