import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { rowsOf } from '../../../stores/stores.ts';
import { DAY, HOUR, iso, MINUTE } from '../../../time.ts';
import { connectOverHttp, mcpUrl } from '../../mcp/http/mcp-http-client.ts';
import { bodyOf } from '../../mcp-session.ts';
import type { RestService } from '../../rest-service.ts';
import { probeName, VICTIM } from './attacked-store.ts';

/** So that even a call that waits for most of an attack is measured. */
const MAX_CALL_MS = 20 * MINUTE;

export interface LoggedWatering {
  readonly id: number;
  readonly note: string;
}

/** The assistant of another company than the attackers'. */
export class WateringAssistant {
  /** The waterings in the order in which they were answered. */
  readonly logged: LoggedWatering[] = [];
  readonly #db: string;
  readonly #client: Client;
  #sent = 0;

  static async connect({ db, base, newKey }: RestService): Promise<WateringAssistant> {
    const key = await newKey('--company', VICTIM, '--preset', 'assistant');
    const { client } = await connectOverHttp(mcpUrl(base), { 'x-api-key': key });
    return new WateringAssistant(db, client);
  }

  private constructor(db: string, client: Client) {
    this.#db = db;
    this.#client = client;
  }

  /** Throws unless it is answered. */
  async logWatering(): Promise<void> {
    const n = this.#sent++;
    const note = `watering ${n}`;
    const watering = {
      module: probeName(VICTIM, n % 2),
      startedAt: iso(Date.now() - 400 * DAY + n * 3 * HOUR),
      inputMode: 'duration',
      durationMin: 30,
      note,
    };

    const request = { name: 'log_watering', arguments: watering };
    const result = await this.#client.callTool(request, undefined, { timeout: MAX_CALL_MS });
    const { id } = bodyOf(result as CallToolResult).event;
    this.logged.push({ id, note });
  }

  /** The waterings in the order of their ids. */
  storedWaterings(): Promise<LoggedWatering[]> {
    return rowsOf<LoggedWatering>(
      this.#db,
      `select waterings.id, note from waterings join modules on modules.id = module_id
         and modules.company_id = waterings.company_id
         where uid like '${VICTIM} %' order by waterings.id`,
    );
  }
}
