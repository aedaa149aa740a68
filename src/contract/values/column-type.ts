/** The type of the values of an aggregate column. `time` is floating local time, such as `2025-02-17T23:10:00`. */
export type ColumnType = 'integer' | 'number' | 'text' | 'time'
