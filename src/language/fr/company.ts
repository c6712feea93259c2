import type { GatewayBody } from '../../schema/company.ts';
import type { Role } from '../../schema/scope.ts';
import type { ModuleKind, PlacePhrases } from '../company/company-phrases.ts';
import { frenchCount, withDe } from './grammar.ts';

const MODULE_KINDS: Record<NonNullable<ModuleKind>, string> = {
  SOIL_PROBE: 'une sonde',
  TENSIOMETER: 'un tensiomètre',
  WEATHER_STATION: 'une station météo',
};

const ROLE_NAMES: Record<Role, string> = { OWNER: 'propriétaire', MANAGER: 'gestionnaire', VIEWER: 'lecture seule' };

const GATEWAY_STATES: Record<GatewayBody['status'], string> = { active: 'en service', faulty: 'en panne' };

export const frenchPlace: PlacePhrases = {
  noName: 'sans nom',
  noModule: 'Aucun module ne correspond.',
  modules: (named) => `Modules : ${named}.`,
  noParcel: 'Il n’y a pas de parcelle.',
  parcels: (named) => `Parcelles : ${named}.`,
  module: ({ name, kind, parcel, sensors, depths, isMoved }) => {
    const where = parcel === null ? 'hors parcelle' : `dans ${parcel}`;
    const measuring = depths.length === 0 ? frenchCount(sensors, 'capteur') : `capteurs à ${depths.join(', ')} cm`;
    return `${name} est ${kind === null ? 'un module' : MODULE_KINDS[kind]} ${where}, ${measuring}.${isMoved ? ' Sa position est à reconfirmer.' : ''}`;
  },
  company: (name, city, zone, isDeclared) =>
    `${name}${city === null ? '' : `, ${city}`} ; fuseau horaire ${zone}${isDeclared ? '' : ' (aucun n’est déclaré)'}.`,
  noMembers: 'L’exploitation n’a aucun membre.',
  members: (people) => `Membres : ${people.map(({ name, role }) => `${name} (${ROLE_NAMES[role]})`).join(', ')}.`,
  enums: (codes) => `Dix listes de codes avec leurs libellés, ${codes} codes en tout.`,

  noContact: 'aucune transmission',
  lastContact: (at, zone) => `dernière transmission ${at} (${zone})`,
  noGateway: 'Aucune passerelle ne correspond.',
  faulty: (imei, contact, modules) =>
    `${imei}, ${contact}, ${modules.length === 0 ? 'sans module' : `avec ${modules.join(', ')}`}`,
  gateways: (named, faulty) =>
    `Passerelles : ${named}. ${faulty.length === 0 ? 'Aucune n’est en panne.' : `En panne : ${faulty.join(' ; ')}.`}`,
  unplugged: (name) => `${name} n’a pas de passerelle.`,
  health: ({ name, imei, status, heard: contact, soc, level }) =>
    `La passerelle ${withDe(name)} (${imei}) est ${GATEWAY_STATES[status]} : ${contact}, ${soc === null ? 'batterie inconnue' : `batterie ${soc} %`}, ${level === null ? 'signal inconnu' : `signal ${level} barres sur 4`}.`,
};

const MODULE_NAMES: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Sonde',
  TENSIOMETER: 'Tensiomètre',
  WEATHER_STATION: 'Station météo',
};

/** What a module without a name is called, before its number. */
export const frenchModuleKind = (category: string | null): string => MODULE_NAMES[category ?? ''] ?? 'Module';
