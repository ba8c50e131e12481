/** The programs that install a project's packages and run its scripts. */
export const packageManagers = ['npm', 'pnpm', 'yarn'] as const

export type PackageManager = (typeof packageManagers)[number]

/**
 * The package manager that runs duet: `pnpm create duet` creates a project for pnpm.
 *
 * @param agent `npm_config_user_agent`, which each of them sets: `pnpm/10.2.0 npm/? node/v22.0.0 linux x64`
 */
export function packageManager(agent: string | undefined): PackageManager {
  return packageManagers.find((name) => agent?.startsWith(`${name}/`)) ?? 'npm'
}
