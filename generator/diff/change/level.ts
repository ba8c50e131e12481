export type Level = 'breaking' | 'dangerous' | 'compatible' | 'info'

/** The worst first. */
export const levels: readonly Level[] = ['breaking', 'dangerous', 'compatible', 'info']
