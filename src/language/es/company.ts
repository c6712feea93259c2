import type { GatewayBody } from '../../schema/company.ts';
import type { Role } from '../../schema/scope.ts';
import type { ModuleKind, PlacePhrases } from '../company/company-phrases.ts';
import { spanishCount } from './grammar.ts';

const MODULE_KINDS: Record<NonNullable<ModuleKind>, string> = {
  SOIL_PROBE: 'una sonda',
  TENSIOMETER: 'un tensiómetro',
  WEATHER_STATION: 'una estación meteorológica',
};

const ROLE_NAMES: Record<Role, string> = { OWNER: 'propietario', MANAGER: 'gestor', VIEWER: 'solo lectura' };

const GATEWAY_STATES: Record<GatewayBody['status'], string> = { active: 'en servicio', faulty: 'averiada' };

export const spanishPlace: PlacePhrases = {
  noName: 'sin nombre',
  noModule: 'Ningún módulo coincide.',
  modules: (named) => `Módulos: ${named}.`,
  noParcel: 'No hay ninguna parcela.',
  parcels: (named) => `Parcelas: ${named}.`,
  module: ({ name, kind, parcel, sensors, depths, isMoved }) => {
    const where = parcel === null ? 'fuera de toda parcela' : `en ${parcel}`;
    const measuring =
      depths.length === 0 ? spanishCount(sensors, 'sensor', 'sensores') : `sensores a ${depths.join(', ')} cm`;
    return `${name} es ${kind === null ? 'un módulo' : MODULE_KINDS[kind]} ${where}, ${measuring}.${isMoved ? ' Hay que confirmar de nuevo su posición.' : ''}`;
  },
  company: (name, city, zone, isDeclared) =>
    `${name}${city === null ? '' : `, ${city}`}; huso horario ${zone}${isDeclared ? '' : ' (no hay ninguno declarado)'}.`,
  noMembers: 'La explotación no tiene ningún miembro.',
  members: (people) => `Miembros: ${people.map(({ name, role }) => `${name} (${ROLE_NAMES[role]})`).join(', ')}.`,
  enums: (codes) => `Diez listas de códigos con sus nombres, ${codes} códigos en total.`,

  noContact: 'sin ninguna transmisión',
  lastContact: (at, zone) => `última transmisión ${at} (${zone})`,
  noGateway: 'Ninguna pasarela coincide.',
  faulty: (imei, contact, modules) =>
    `${imei}, ${contact}, ${modules.length === 0 ? 'sin módulos' : `con ${modules.join(', ')}`}`,
  gateways: (named, faulty) =>
    `Pasarelas: ${named}. ${faulty.length === 0 ? 'Ninguna está averiada.' : `Averiadas: ${faulty.join('; ')}.`}`,
  unplugged: (name) => `${name} no está conectado a ninguna pasarela.`,
  health: ({ name, imei, status, heard: contact, soc, level }) =>
    `La pasarela de ${name} (${imei}) está ${GATEWAY_STATES[status]}: ${contact}, ${soc === null ? 'batería desconocida' : `batería ${soc} %`}, ${level === null ? 'señal desconocida' : `señal ${level} de 4 barras`}.`,
};

const MODULE_NAMES: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Sonda',
  TENSIOMETER: 'Tensiómetro',
  WEATHER_STATION: 'Estación meteorológica',
};

/** What a module without a name is called, before its number. */
export const spanishModuleKind = (category: string | null): string => MODULE_NAMES[category ?? ''] ?? 'Módulo';
