import { appendFileSync } from 'node:fs';
import { DatabaseSync as Plain } from '@photostructure/sqlite';

let opened = 0;

export class DatabaseSync extends Plain {
  #connection = opened++;

  prepare(sql) {
    const statement = super.prepare(sql);
    const noted =
      (method) =>
      (...parameters) => {
        const run = { connection: this.#connection, sql, parameters };
        appendFileSync(process.env.ACEQUIA_BENCH_RECORD, `${JSON.stringify(run)}\n`);
        return statement[method](...parameters);
      };
    return {
      all: noted('all'),
      run: noted('run'),
      iterate: noted('iterate'),
      columns: () => statement.columns(),
      setReturnArrays: (isSo) => statement.setReturnArrays(isSo),
    };
  }
}
