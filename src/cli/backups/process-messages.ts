import type { BackupFailure } from '../../domain/backups/failures.ts';
import type { DrillReport, DrillRequest } from '../../service/backups/backup-runs.ts';
import type { BackupReport, BackupRequest } from '../../store/backups/make-backup.ts';

export type ProcessRequest =
  | { readonly kind: 'copy'; readonly request: BackupRequest }
  | { readonly kind: 'drill'; readonly request: DrillRequest };

export type ProcessMessage =
  | { readonly kind: 'pages'; readonly done: number; readonly total: number }
  | { readonly kind: 'copied'; readonly report: BackupReport }
  | { readonly kind: 'drilled'; readonly report: DrillReport }
  | { readonly kind: 'failed'; readonly failure: BackupFailure; readonly detail: string };
