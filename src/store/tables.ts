import type { Generated, GeneratedAlways, Kysely } from 'kysely';
import type { Column } from '../schema/tables/column.ts';
import type { COMPANY_TABLES, TABLES } from '../schema/tables/index.ts';
import type { Table } from '../schema/tables/table.ts';

type Stored<C> =
  C extends Column<infer T, infer Origin>
    ? {
        statement: T;
        default: Generated<T>;
        sequence: Generated<T>;
        computed: GeneratedAlways<T>;
      }[Origin]
    : never;

type Rows<Tables extends Readonly<Record<string, Table>>> = {
  [Name in keyof Tables]: {
    [ColumnName in keyof Tables[Name]['columns']]: Stored<Tables[Name]['columns'][ColumnName]>;
  };
};

/** The columns of each table as a company's handle has them. */
export interface CompanyTables extends Rows<typeof COMPANY_TABLES> {}

type WithCompany<T> = { [K in keyof T]: T[K] & { company_id: number } };

export interface Tables
  extends WithCompany<CompanyTables>,
    Omit<Rows<typeof TABLES>, keyof CompanyTables> {}

export type CompanyTable = Tables['companies'];

export type CompanyDb = Kysely<CompanyTables>;

export const toFlag = (value: boolean): 0 | 1 => (value ? 1 : 0);
