/** Why a copy was not made, or cannot be trusted. */
export const BACKUP_FAILURES = [
  'disk_full',
  'folder_missing',
  'folder_unmarked',
  'folder_unwritable',
  'store_damaged',
  'copy_damaged',
  'unexpected',
] as const;

export type BackupFailure = (typeof BACKUP_FAILURES)[number];

export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly failure: BackupFailure;

  /** `detail` says more than the failure does, for terminals and logs. */
  constructor(failure: BackupFailure, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.failure = failure;
  }
}
