(* Interval arithmetic on binary numbers, from the library coq-interval: each operation encloses that of real numbers. *)
From Coq Require Import Reals Lra ZArith List.
From Interval Require Import Specific_stdz Specific_ops Float_full Interval Xreal Basic Sig.
Require Import Vectors.
Import ListNotations.
Open Scope R_scope.

Module Numbers := SpecificFloat StdZRadix2.
Module Intervals := FloatIntervalFull Numbers.

(* Binary places of all results. *)
Definition places := Numbers.PtoP 70%positive.
Definition enclosure := Intervals.type.
Definition within (i : enclosure) (x : R) := contains (Intervals.convert i) (Xreal x).

Definition iint n : enclosure := Intervals.fromZ places n.
Definition iadd a b : enclosure := Intervals.add places a b.
Definition isub a b : enclosure := Intervals.sub places a b.
Definition imul a b : enclosure := Intervals.mul places a b.
Definition idiv a b : enclosure := Intervals.div places a b.
Definition iabs a : enclosure := Intervals.abs a.
Definition isqrt a : enclosure := Intervals.sqrt places a.
Definition isin a : enclosure := Intervals.sin places a.
Definition icos a : enclosure := Intervals.cos places a.

Lemma within_any i x : contains (Intervals.convert i) Xnan -> within i x.
Proof. unfold within; destruct (Intervals.convert i); simpl; [auto | intros []]. Qed.

Lemma within_int n : within (iint n) (IZR n).
Proof. apply Intervals.fromZ_correct. Qed.

Lemma within_add a b x y : within a x -> within b y -> within (iadd a b) (x + y).
Proof. exact (Intervals.add_correct places a b (Xreal x) (Xreal y)). Qed.

Lemma within_sub a b x y : within a x -> within b y -> within (isub a b) (x - y).
Proof. exact (Intervals.sub_correct places a b (Xreal x) (Xreal y)). Qed.

Lemma within_mul a b x y : within a x -> within b y -> within (imul a b) (x * y).
Proof. exact (Intervals.mul_correct places a b (Xreal x) (Xreal y)). Qed.

Lemma within_div a b x y : within a x -> within b y -> within (idiv a b) (x / y).
Proof.
  intros A B; pose proof (Intervals.div_correct places a b (Xreal x) (Xreal y) A B) as H; simpl in H.
  unfold Xdiv' in H; destruct (is_zero y); [apply within_any |]; exact H.
Qed.

Lemma within_abs a x : within a x -> within (iabs a) (Rabs x).
Proof. exact (Intervals.abs_correct a (Xreal x)). Qed.

Lemma within_sqrt a x : within a x -> within (isqrt a) (sqrt x).
Proof. exact (Intervals.sqrt_correct places a (Xreal x)). Qed.

Lemma within_sin a x : within a x -> within (isin a) (sin x).
Proof. exact (Intervals.sin_correct places a (Xreal x)). Qed.

Lemma within_cos a x : within a x -> within (icos a) (cos x).
Proof. exact (Intervals.cos_correct places a (Xreal x)). Qed.

(* True if all numbers within an enclosure are above 0. *)
Definition is_positive i := match Intervals.sign_strict i with Xgt => true | _ => false end.

Lemma positive_within i x : is_positive i = true -> within i x -> 0 < x.
Proof.
  unfold is_positive; pose proof (Intervals.sign_strict_correct i) as H.
  destruct (Intervals.sign_strict i); try discriminate; intros _ W; exact (proj2 (H (Xreal x) W)).
Qed.

(* Vectors, component by component. *)
Record ivec := IVec { ix : enclosure; iy : enclosure; iz : enclosure }.
Definition vwithin i v := within (ix i) (vx v) /\ within (iy i) (vy v) /\ within (iz i) (vz v).

Definition ivadd a b := IVec (iadd (ix a) (ix b)) (iadd (iy a) (iy b)) (iadd (iz a) (iz b)).
Definition ivscale s a := IVec (imul s (ix a)) (imul s (iy a)) (imul s (iz a)).
Definition idot a b := iadd (iadd (imul (ix a) (ix b)) (imul (iy a) (iy b))) (imul (iz a) (iz b)).
Definition icross a b := IVec
  (isub (imul (iy a) (iz b)) (imul (iz a) (iy b)))
  (isub (imul (iz a) (ix b)) (imul (ix a) (iz b)))
  (isub (imul (ix a) (iy b)) (imul (iy a) (ix b))).
Definition inorm a := isqrt (idot a a).
Definition izero := IVec (iint 0) (iint 0) (iint 0).

Create HintDb enclosed.
#[export] Hint Resolve within_int within_add within_sub within_mul within_div within_abs within_sqrt within_sin within_cos : enclosed.

Lemma within_vec a b c x y z : within a x -> within b y -> within c z -> vwithin (IVec a b c) (Vec x y z).
Proof. repeat split; assumption. Qed.

Lemma vwithin_zero : vwithin izero zero.
Proof. apply within_vec; apply within_int. Qed.

Lemma vwithin_add a b u v : vwithin a u -> vwithin b v -> vwithin (ivadd a b) (add u v).
Proof. intros (? & ? & ?) (? & ? & ?); repeat split; simpl; auto with enclosed. Qed.

Lemma vwithin_scale s a k v : within s k -> vwithin a v -> vwithin (ivscale s a) (scale k v).
Proof. intros ? (? & ? & ?); repeat split; simpl; auto with enclosed. Qed.

Lemma vwithin_cross a b u v : vwithin a u -> vwithin b v -> vwithin (icross a b) (cross u v).
Proof. intros (? & ? & ?) (? & ? & ?); repeat split; simpl; auto with enclosed. Qed.

Lemma within_dot a b u v : vwithin a u -> vwithin b v -> within (idot a b) (dot u v).
Proof. intros (? & ? & ?) (? & ? & ?); unfold idot, dot; auto with enclosed. Qed.

Lemma within_norm a v : vwithin a v -> within (inorm a) (norm v).
Proof. intro; unfold inorm, norm; apply within_sqrt, within_dot; auto. Qed.

#[export] Hint Resolve within_vec vwithin_zero vwithin_add vwithin_scale vwithin_cross within_dot within_norm : enclosed.
