import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wasm } from '../../../../core/engine/util/wat.ts'

test('functions calculate, call each other and branch', () => {
  const { sum, steps } = wasm<{ sum(to: number): number; steps(from: number): number }>(
    `(func $add (param $a i32) (param $b i32) (result i32) (i32.add (local.get $a) (local.get $b)))
     ;; 1 + 2 + … ) and a parenthesis in a comment
     (func $sum (export "sum") (param $to i32) (result i32)
       (local $all i32)
       (block $done
         (loop $next
           (br_if $done (i32.eqz (local.get $to)))
           (local.set $all (call $add (local.get $all) (local.get $to)))
           (local.set $to (i32.sub (local.get $to) (i32.const 1)))
           (br $next)))
       (local.get $all))
     (func $steps (export "steps") (param $from i32) (result i32)
       (local $count i32)
       (loop $next
         (if (i32.and (local.get $from) (i32.const 1))
           (then (local.set $from (i32.add (i32.mul (local.get $from) (i32.const 3)) (i32.const 1))))
           (else (local.set $from (i32.shr_u (local.get $from) (i32.const 1)))))
         (local.set $count (i32.add (local.get $count) (i32.const 1)))
         (br_if $next (i32.gt_u (local.get $from) (i32.const 1))))
       (return (local.get $count)))`,
    1,
  )()
  assert.equal(sum(300), 45150)
  assert.equal(steps(27), 111)
})

test('constants keep their sign and all of their bits', () => {
  for (const value of [0, 63, 64, -64, -65, 0x1fff, 0x2000, -0x2001, 0x7fffffff, -0x80000000, 0x85ebca6b]) {
    const { is } = wasm<{ is(): number }>(`(func $is (export "is") (result i32) (i32.const ${value}))`, 1)()
    assert.equal(is(), value | 0)
  }
})

test('each instance has a memory of its own, of so many pages', () => {
  const make = wasm<{ put(at: number, value: number): void; get(at: number): number }>(
    `(func $put (export "put") (param $at i32) (param $value i32) (i32.store16 offset=200 (local.get $at) (local.get $value)))
     (func $get (export "get") (param $at i32) (result i32) (i32.load8_u offset=201 (local.get $at)))`,
    3,
  )
  const [one, other] = [make(), make()]
  one.put(4, 0x1234)
  assert.equal(one.get(4), 0x12)
  assert.equal(other.get(4), 0)
  assert.equal(one.memory.buffer.byteLength, 3 * 64 * 1024)
  assert.equal(new Uint8Array(one.memory.buffer)[204], 0x34)
})

test('vectors are compared in each part', () => {
  const { spaces, memory } = wasm<{ spaces(at: number): number }>(
    `(func $spaces (export "spaces") (param $at i32) (result i32)
       (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 32)))))`,
    1,
  )()
  Buffer.from(memory.buffer).write('a b  c d, and more')
  assert.equal(spaces(0), 0b10_0010_0101_1010)
})

test('what it does not know, it refuses', () => {
  const made = (source: string) => wasm<object>(source, 1)
  for (const source of [
    '(func $f (i32.popcnt (i32.const 1)))',
    '(func $f (local.get $x))',
    '(func $f (param $x i64))',
    '(func $f (br $out))',
    '(func $f (call $g))',
    '(func $f',
    'func)',
  ])
    assert.throws(() => made(source)(), Error, source)
})
