import type { GatewayBody } from '../../schema/company.ts';
import type { Role } from '../../schema/scope.ts';

export type ModuleKind = 'SOIL_PROBE' | 'TENSIOMETER' | 'WEATHER_STATION' | null;

/** A module in parts that are said. */
export interface ModuleFacts {
  readonly name: string;
  readonly kind: ModuleKind;
  /** Null where it stands in none. */
  readonly parcel: string | null;
  readonly sensors: number;
  /** In cm, each once. */
  readonly depths: readonly number[];
  readonly isMoved: boolean;
}

/** What is said of a company, its people, its places and what stands there. */
export interface PlacePhrases {
  readonly noName: string;
  readonly noModule: string;
  modules(named: string): string;
  readonly noParcel: string;
  parcels(named: string): string;
  module(said: ModuleFacts): string;
  /** With the zone that is taken where none is declared. */
  company(name: string, city: string | null, zone: string, isDeclared: boolean): string;
  readonly noMembers: string;
  members(people: readonly { readonly name: string; readonly role: Role }[]): string;
  enums(codes: number): string;

  readonly noContact: string;
  lastContact(at: string, zone: string): string;
  readonly noGateway: string;
  /** Those that carry nothing name no module. */
  faulty(imei: string, heard: string, modules: readonly string[]): string;
  gateways(named: string, faulty: readonly string[]): string;
  unplugged(name: string): string;
  /** Battery in %, signal in bars of 4; null where unknown. */
  health(said: {
    readonly name: string;
    readonly imei: string;
    readonly status: GatewayBody['status'];
    readonly heard: string;
    readonly soc: number | null;
    readonly level: number | null;
  }): string;
}
