import type { Language } from '../en/index.ts';
import { frenchCount } from './grammar.ts';

const MEASURED: Readonly<Record<string, (value: string) => string>> = {
  humidity: (value) => `humidité ${value} %`,
  temperature: (value) => `température ${value} °C`,
  rain: (value) => `pluie ${value} mm`,
  wind: (value) => `vent ${value} m/s`,
  radiation: (value) => `rayonnement ${value} W/m2`,
  tensio: (value) => `tension ${value} kPa`,
};

export const frenchDevice: Language['device'] = {
  reading: (type, value) => MEASURED[type]?.(value) ?? `${type} ${value}`,
  assigned: (device, depths, kept) =>
    `Ses mesures viennent de l’appareil ${device}${depths === null ? '' : `, à ${depths} cm`}${kept === 0 ? '' : ` ; ${frenchCount(kept, 'mesure déjà reçue compte', 'mesures déjà reçues comptent')} aussi`}.`,
  battery: (level) => `batterie ${level}`,
  signal: (dBm, snr) => `signal ${dBm} dBm${snr === null ? '' : ` (SNR ${snr} dB)`}`,
  status: (device, at, parts) => `Appareil ${[`${device} : dernier envoi ${at}`, ...parts].join(', ')}.`,
  unassigned: (devices, others) =>
    devices.length + others === 1
      ? `Un appareil qui n’est attribué à aucune sonde envoie des mesures : ${devices.join(' ; ')}. Attribuez-le avec set_module.`
      : `Des appareils qui ne sont attribués à aucune sonde envoient des mesures : ${devices.join(' ; ')}${others === 0 ? '' : ` ; et ${others} de plus`}. Attribuez chacun avec set_module.`,
};
