import type { Marker } from './marker.ts'

/** A dataset being written. Nothing is on disk before its first task is. */
export interface Dataset {
  readonly directory: string
  readonly name: string
  readonly pipeline: string
  readonly config: string
  readonly policy: 'own' | 'append' | 'force'
  marker: Marker
}
