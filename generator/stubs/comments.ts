import { recordOf } from './adding.js'
import { findMember } from './discovery.js'
import { memberNamed } from './members.js'
import { type Scene, styleAt } from './scene.js'
import { commentDigest, docComment, docCommentOf } from './stub.js'
import { styled } from './style.js'
import { indentAt } from './trivia.js'

/** Writes doc comments anew that are still exactly what duet wrote. */
export function refreshComments(scene: Scene): void {
  const { workspace, wanted, operations, folder, findings } = scene
  for (const [name, operation] of wanted.operations) {
    const container = folder.containers.get(operation.namespace)
    const found = container && findMember(workspace, container, operation.member)
    if (found?.kind !== 'here') continue
    const { body } = found
    const member = memberNamed(body, operation.member)
    const comment = member && docCommentOf(body, member)
    const known = operations.get(name)?.comment
    const text = docComment(operation)
    const written = comment && body.row.text.slice(comment.start, comment.end)
    const digest = written === undefined ? undefined : commentDigest(written)
    const current = commentDigest(text)
    const imports = operations.get(name)?.imports
    const isOurs = digest !== undefined && (digest === known || digest === current)
    // Of a comment that the team has made its own the record keeps what duet wrote: nothing is out of step by it.
    const entry = recordOf(operation, body.path, isOurs ? current : known)
    operations.set(name, imports === undefined ? entry : { ...entry, imports })
    if (comment === undefined || digest !== known || digest === current) continue
    const indent = indentAt(body.row.text, comment.start)
    const style = styleAt(scene, body.path)
    workspace.edit(body.path, [{ ...comment, text: styled(text, style, indent) }])
    findings.changed.push({ operation: name, file: body.path, what: 'its comment follows the document' })
  }
}
